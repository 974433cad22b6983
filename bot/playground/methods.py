"""Every method of Bot API 10.0 by name: those that play, and those that are known but refused."""

from collections.abc import Callable
from typing import Any

from bot.playground import answers, chats, naming, sending
from bot.playground.calls import Call
from bot.playground.records import Json
from bot.playground.refusals import ApiError, bad_request, conflict
from bot.playground.updates import KINDS
from bot.playground.webhook import check_webhook
from bot.playground.world import World

_LONGEST_POLL = 50  # seconds


async def get_updates(world: World, call: Call) -> list[Json]:
    remember_kinds(world, call)
    limit = call.integer("limit", 100)
    return await world.updates.poll(
        offset=call.integer("offset"),
        limit=limit if 1 <= limit <= 100 else 100,
        timeout=min(max(call.integer("timeout"), 0), _LONGEST_POLL),
    )


def remember_kinds(world: World, call: Call) -> None:
    """allowed_updates: kept until the next call that names them; unknown kinds are dropped, as the server does."""
    wish = call.json("allowed_updates")
    if wish is None:
        return
    if not isinstance(wish, list):
        raise bad_request("can't parse allowed_updates: Expected an Array of String")
    chosen = [kind for kind in wish if kind in KINDS]
    if chosen != world.profile.allowed_updates:
        world.profile.allowed_updates = chosen
        world.keep_profile()


def set_webhook(world: World, call: Call) -> bool:
    webhook = check_webhook(call)
    remember_kinds(world, call)
    if call.flag("drop_pending_updates"):
        world.updates.drop_all()
    world.profile.webhook = webhook
    world.keep_profile()
    if webhook:
        world.updates.interrupt(conflict("terminated by setWebhook request"))
    world.updates.on_arrival()
    return True


def delete_webhook(world: World, call: Call) -> bool:
    if call.flag("drop_pending_updates"):
        world.updates.drop_all()
    world.profile.webhook = {}
    world.keep_profile()
    world.updates.on_arrival()
    return True


def get_webhook_info(world: World, call: Call) -> Json:  # noqa: ARG001 (every method takes a call)
    webhook = world.profile.webhook
    world.updates.expire()
    info: Json = {
        "url": webhook.get("url", ""),
        "has_custom_certificate": False,
        "pending_update_count": len(world.updates.pending),
    }
    if webhook:
        info["max_connections"] = webhook["max_connections"]
        info |= {name: webhook[name] for name in ("last_error_date", "last_error_message") if name in webhook}
    if world.profile.allowed_updates:
        info["allowed_updates"] = world.profile.allowed_updates
    return info


def agree(world: World, call: Call) -> bool:  # noqa: ARG001 (every method takes a call)
    """LogOut and close: nothing to do for a server of one's own."""
    return True


METHODS: dict[str, Callable[[World, Call], Any]] = {
    "getme": chats.get_me,
    "getupdates": get_updates,
    "setwebhook": set_webhook,
    "deletewebhook": delete_webhook,
    "getwebhookinfo": get_webhook_info,
    "sendmessage": sending.send_message,
    "sendphoto": sending.send_photo,
    "senddocument": sending.send_document,
    "senddice": sending.send_dice,
    "editmessagetext": sending.edit_message_text,
    "editmessagecaption": sending.edit_message_caption,
    "editmessagereplymarkup": sending.edit_message_reply_markup,
    "deletemessage": sending.delete_message,
    "deletemessages": sending.delete_messages,
    "answercallbackquery": answers.answer_callback_query,
    "sendchataction": answers.send_chat_action,
    "setmessagereaction": answers.set_message_reaction,
    "getfile": answers.get_file,
    "pinchatmessage": answers.pin_chat_message,
    "unpinchatmessage": answers.unpin_chat_message,
    "unpinallchatmessages": answers.unpin_all_chat_messages,
    "getchat": chats.get_chat,
    "getchatmember": chats.get_chat_member,
    "getchatadministrators": chats.get_chat_administrators,
    "getchatmembercount": chats.get_chat_member_count,
    "leavechat": chats.leave_chat,
    "setmycommands": naming.set_my_commands,
    "getmycommands": naming.get_my_commands,
    "deletemycommands": naming.delete_my_commands,
    "setmyname": naming.text_setter("name"),
    "getmyname": naming.text_getter("name"),
    "setmydescription": naming.text_setter("description"),
    "getmydescription": naming.text_getter("description"),
    "setmyshortdescription": naming.text_setter("short_description"),
    "getmyshortdescription": naming.text_getter("short_description"),
    "setchatmenubutton": naming.set_chat_menu_button,
    "getchatmenubutton": naming.get_chat_menu_button,
    "logout": agree,
    "close": agree,
}

KNOWN = frozenset(
    """
    addStickerToSet answerCallbackQuery answerGuestQuery answerInlineQuery answerPreCheckoutQuery
    answerShippingQuery answerWebAppQuery approveChatJoinRequest approveSuggestedPost banChatMember
    banChatSenderChat close closeForumTopic closeGeneralForumTopic convertGiftToStars copyMessage copyMessages
    createChatInviteLink createChatSubscriptionInviteLink createForumTopic createInvoiceLink
    createNewStickerSet declineChatJoinRequest declineSuggestedPost deleteAllMessageReactions
    deleteBusinessMessages deleteChatPhoto deleteChatStickerSet deleteForumTopic deleteMessage
    deleteMessageReaction deleteMessages deleteMyCommands deleteStickerFromSet deleteStickerSet deleteStory
    deleteWebhook editChatInviteLink editChatSubscriptionInviteLink editForumTopic editGeneralForumTopic
    editMessageCaption editMessageChecklist editMessageLiveLocation editMessageMedia editMessageReplyMarkup
    editMessageText editStory editUserStarSubscription exportChatInviteLink forwardMessage forwardMessages
    getAvailableGifts getBusinessAccountGifts getBusinessAccountStarBalance getBusinessConnection getChat
    getChatAdministrators getChatGifts getChatMember getChatMemberCount getChatMenuButton
    getCustomEmojiStickers getFile getForumTopicIconStickers getGameHighScores getManagedBotAccessSettings
    getManagedBotToken getMe getMyCommands getMyDefaultAdministratorRights getMyDescription getMyName
    getMyShortDescription getMyStarBalance getStarTransactions getStickerSet getUpdates getUserChatBoosts
    getUserGifts getUserPersonalChatMessages getUserProfileAudios getUserProfilePhotos getWebhookInfo
    giftPremiumSubscription hideGeneralForumTopic leaveChat logOut pinChatMessage postStory promoteChatMember
    readBusinessMessage refundStarPayment removeBusinessAccountProfilePhoto removeChatVerification
    removeMyProfilePhoto removeUserVerification reopenForumTopic reopenGeneralForumTopic
    replaceManagedBotToken replaceStickerInSet repostStory restrictChatMember revokeChatInviteLink
    savePreparedInlineMessage savePreparedKeyboardButton sendAnimation sendAudio sendChatAction sendChecklist
    sendContact sendDice sendDocument sendGame sendGift sendInvoice sendLivePhoto sendLocation sendMediaGroup
    sendMessage sendMessageDraft sendPaidMedia sendPhoto sendPoll sendSticker sendVenue sendVideo
    sendVideoNote sendVoice setBusinessAccountBio setBusinessAccountGiftSettings setBusinessAccountName
    setBusinessAccountProfilePhoto setBusinessAccountUsername setChatAdministratorCustomTitle
    setChatDescription setChatMemberTag setChatMenuButton setChatPermissions setChatPhoto setChatStickerSet
    setChatTitle setCustomEmojiStickerSetThumbnail setGameScore setManagedBotAccessSettings setMessageReaction
    setMyCommands setMyDefaultAdministratorRights setMyDescription setMyName setMyProfilePhoto
    setMyShortDescription setPassportDataErrors setStickerEmojiList setStickerKeywords setStickerMaskPosition
    setStickerPositionInSet setStickerSetThumbnail setStickerSetTitle setUserEmojiStatus setWebhook
    stopMessageLiveLocation stopPoll transferBusinessAccountStars transferGift unbanChatMember
    unbanChatSenderChat unhideGeneralForumTopic unpinAllChatMessages unpinAllForumTopicMessages
    unpinAllGeneralForumTopicMessages unpinChatMessage upgradeGift uploadStickerFile verifyChat verifyUser
    """.lower().split()
)


def find_method(name: str) -> Callable[[World, Call], Any]:
    """The method of this name, in any case. Raises ApiError 400 if known but not played, 404 if unknown."""
    found = METHODS.get(name.lower())
    if found is not None:
        return found
    if name.lower() in KNOWN:
        raise bad_request("method is not supported by the emulator")
    raise ApiError(404, "Not Found: method not found")
