"""Explanations of errors: accounts, tokens and signing in."""

from __future__ import annotations

from podium.errors.codes import ErrorCode
from podium.errors.explanations.shape import Explanation

EXPLANATIONS = {
    ErrorCode.ACCOUNT_DELETED: Explanation(
        "Account deleted",
        "The account was deleted and cannot act or be changed any more.",
        "Make or choose another account.",
    ),
    ErrorCode.ACCOUNT_DISABLED: Explanation(
        "Account disabled",
        "An administrator has disabled the account.",
        "Ask the administrator to enable it.",
    ),
    ErrorCode.ACCOUNT_GIVEN: Explanation(
        "You have an account already",
        "The request would make an account, and it carries the token of an existing one.",
        "Send no token to make another account, or leave the name out to join with yours.",
    ),
    ErrorCode.ADMINISTRATOR: Explanation(
        "Administrator's own account",
        "The administrator's account and token are set by the installation, not over the API.",
        "Change PODIUM_ADMIN_TOKEN and restart the server.",
    ),
    ErrorCode.ALREADY_DECIDED: Explanation(
        "Request already decided",
        "Somebody has approved or declined this request before.",
        "Look at the list of requests again.",
    ),
    ErrorCode.BAD_LABEL: Explanation(
        "Token label not possible",
        "The label is too long, not printable, or used by the server itself.",
        "Choose another label.",
    ),
    ErrorCode.BAD_MAIL: Explanation(
        "Mail address not possible",
        "This is no mail address that a letter can go to.",
        "Type it as ada@example.org, without a name and without spaces.",
    ),
    ErrorCode.MAIL_FAILED: Explanation(
        "Mail not sent",
        "The installation's mail server did not take the mail.",
        "Try again in a while; if it goes on, tell the operator.",
    ),
    ErrorCode.MAIL_TAKEN: Explanation(
        "Mail address in use",
        "An account has this mail address already, and each address has one account.",
        "Sign in with that account, or have a new password sent to the address.",
    ),
    ErrorCode.NO_MAIL: Explanation(
        "No mail",
        "This installation sends no mail.",
        "Ask an organizer or the administrator for a link.",
    ),
    ErrorCode.SIGN_UP_OFF: Explanation(
        "No registration of this kind",
        "The operator of this installation lets people register in another way, or not at all.",
        "Ask an organizer for a link that lets you in.",
    ),
    ErrorCode.WRONG_CODE: Explanation(
        "Wrong code",
        "The code is not the one that lets people in here.",
        "Ask an organizer for the code, and mind upper and lower case.",
    ),
    ErrorCode.BAD_NAME: Explanation(
        "Name not possible",
        "The name is empty, too long, or holds characters that cannot be told apart.",
        "Choose a name with 1 to 64 visible characters, as the detail says.",
    ),
    ErrorCode.BAD_PASSWORD: Explanation(
        "Password not accepted",
        "The password is too short, too simple, or it is your account's name or a common password,"
        " perhaps with digits or signs around it.",
        "Choose a longer one; several unrelated words work well.",
    ),
    ErrorCode.IDENTITY_PROVIDER: Explanation(
        "Identity provider unavailable",
        "The service that signs you in does not answer, or answers wrongly.",
        "Try again later, or sign in another way.",
    ),
    ErrorCode.IDENTITY_TAKEN: Explanation(
        "Identity already linked",
        "This identity belongs to another account here.",
        "Sign in to that account and unlink it there first.",
    ),
    ErrorCode.LAST_ADMINISTRATOR: Explanation(
        "Last administrator",
        "Without this account nobody could administer the installation.",
        "Make another administrator first.",
    ),
    ErrorCode.LAST_WAY_IN: Explanation(
        "Last way to sign in",
        "Without this token the administrator could not sign in any more.",
        "Make another token or set a password first.",
    ),
    ErrorCode.NAME_MISSING: Explanation(
        "Name missing",
        "A new account needs a name.",
        "Send a name.",
    ),
    ErrorCode.NAME_TAKEN: Explanation(
        "Name taken",
        "Another account or team has this name, or one that looks the same.",
        "Choose another name.",
    ),
    ErrorCode.NO_ACCOUNT: Explanation(
        "No linked account",
        "No account here is linked with the identity that you signed in with.",
        "Sign in another way and link it on your account page, or ask for an invitation.",
    ),
    ErrorCode.NOT_CONFIRMED: Explanation(
        "Not confirmed",
        "Deleting an account has to be confirmed with its name, a competition with its slug.",
        "Repeat the name or the slug in the body: {“confirm”: “name”}.",
    ),
    ErrorCode.PASSWORD_CHANGED: Explanation(
        "Password changed meanwhile",
        "The password was changed while this request ran.",
        "Sign in with the new password and try again.",
    ),
    ErrorCode.PASSWORD_NEEDED: Explanation(
        "Password needed",
        "This change has to be confirmed with the present password.",
        "Send the present password, or sign in with it first.",
    ),
    ErrorCode.SIGN_IN_FAILED: Explanation(
        "Sign-in failed",
        "The sign-in at the identity provider was not completed, or took too long.",
        "Begin again from the sign-in page.",
    ),
    ErrorCode.TOKEN_ENDS: Explanation(
        "Token expires",
        "A token with an expiry date cannot make anything that outlives it.",
        "Use a token without an expiry date.",
    ),
    ErrorCode.TOO_MANY_ATTEMPTS: Explanation(
        "Too many attempts",
        "Too many sign-ins have failed from here or for this name.",
        "Wait as long as Retry-After says.",
    ),
    ErrorCode.TOO_MANY_TOKENS: Explanation(
        "Too many tokens",
        "The account has as many tokens as one may have.",
        "Revoke tokens that are no longer used.",
    ),
    ErrorCode.UNKNOWN_LINK: Explanation(
        "Link does not work",
        "The link is unknown, used, revoked or expired; which of these is not told.",
        "Ask the person who gave it to you for a new one.",
    ),
    ErrorCode.UNKNOWN_USER: Explanation(
        "Unknown account",
        "No account has this id.",
        "Look the id up among the accounts.",
    ),
    ErrorCode.WIDER_TOKEN: Explanation(
        "Token may not replace that one",
        "A token can replace only itself or tokens created with it.",
        "Use the token that is to be replaced, or sign in with your password.",
    ),
    ErrorCode.WRONG_CREDENTIALS: Explanation(
        "Wrong name or password",
        "No account has this name with this password.",
        "Check both; an organizer can give you a reset link.",
    ),
    ErrorCode.LINK_USED: Explanation(
        "Link used already",
        "A link that was used cannot be revoked.",
        "Disable the account or remove the member instead.",
    ),
    ErrorCode.TOO_MANY_LINKS: Explanation(
        "Too many open links",
        "You have as many open one-time links as one person may have.",
        "Revoke some that nobody needs.",
    ),
}
