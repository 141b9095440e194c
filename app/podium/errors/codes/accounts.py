"""Codes of errors: accounts, tokens and signing in."""

from __future__ import annotations

from podium.errors.codes.rows import OurCode


class OfAccounts:
    """Codes of accounts, tokens and sign-in."""

    ACCOUNT_DELETED = OurCode("account-deleted", "Account deleted", 409).means(
        "The account was deleted and cannot act or be changed any more.",
        "Make or choose another account.",
    )
    ACCOUNT_DISABLED = OurCode("account-disabled", "Account disabled", 403, 409).means(
        "An administrator has disabled the account.", "Ask the administrator to enable it."
    )
    ACCOUNT_GIVEN = OurCode("account-given", "You have an account already", 422).means(
        "The request would make an account, and it carries the token of an existing one.",
        "Send no token to make another account, or leave the name out to join with yours.",
    )
    ADMINISTRATOR = OurCode("administrator", "Administrator's own account", 409).means(
        "The administrator's account and token are set by the installation, not over the API.",
        "Change PODIUM_ADMIN_TOKEN and restart the server.",
    )
    BAD_LABEL = OurCode("bad-label", "Token label not possible", 422).means(
        "The label is too long, not printable, or used by the server itself.",
        "Choose another label.",
    )
    BAD_MAIL = OurCode("bad-mail", "Mail address not possible", 422).means(
        "This is not a mail address that a letter can go to.",
        "Type it as ada@example.org, without a name and without spaces.",
    )
    BAD_NAME = OurCode("bad-name", "Name not possible", 422).means(
        "The name is empty, too long, or holds characters that cannot be told apart.",
        "Choose a name with 1 to 64 visible characters, as the detail says.",
    )
    BAD_PASSWORD = OurCode("bad-password", "Password not accepted", 422).means(
        "The password is too short, too simple, or it is your account's name or a common"
        " password, perhaps with digits or signs around it.",
        "Choose a longer one; several unrelated words work well.",
    )
    IDENTITY_PROVIDER = OurCode("identity-provider", "Identity provider unavailable", 503).means(
        "The service that signs you in does not answer, or answers wrongly.",
        "Try again later, or sign in another way.",
    )
    IDENTITY_TAKEN = OurCode("identity-taken", "Identity already linked", 409).means(
        "This identity belongs to another account here.",
        "Sign in to that account and unlink it there first.",
    )
    LAST_ADMINISTRATOR = OurCode("last-administrator", "Last administrator", 409).means(
        "Without this account nobody could administer the installation.",
        "Make another administrator first.",
    )
    LAST_WAY_IN = OurCode("last-way-in", "Last way to sign in", 409).means(
        "Without this token the administrator could not sign in any more.",
        "Make another token or set a password first.",
    )
    MAIL_FAILED = OurCode("mail-failed", "Mail not sent", 503).means(
        "The installation's mail server did not take the mail.",
        "Try again in a while; if it goes on, tell the operator.",
    )
    MAIL_TAKEN = OurCode("mail-taken", "Mail address in use", 409).means(
        "An account has this mail address already, and each address has one account.",
        "Sign in with that account, or have a new password sent to the address.",
    )
    NAME_MISSING = OurCode("name-missing", "Name missing", 422).means(
        "A new account needs a name.", "Send a name."
    )
    NAME_TAKEN = OurCode("name-taken", "Name taken", 409).means(
        "Another account or team has this name, or one that looks the same.", "Choose another name."
    )
    NO_ACCOUNT = OurCode("no-account", "No linked account", 403).means(
        "No account here is linked with the identity that you signed in with.",
        "Sign in another way and link it on your account page, or ask for an invitation.",
    )
    NO_MAIL = OurCode("no-mail", "No mail", 403).means(
        "This installation sends no mail.", "Ask an organizer or the administrator for a link."
    )
    NOT_CONFIRMED = OurCode("not-confirmed", "Not confirmed", 422).means(
        "Deleting an account has to be confirmed with its name, a competition with its slug.",
        "Repeat the name or the slug in the body: {“confirm”: “name”}.",
    )
    PASSWORD_CHANGED = OurCode("password-changed", "Password changed meanwhile", 409).means(
        "The password was changed while this request ran.",
        "Sign in with the new password and try again.",
    )
    PASSWORD_NEEDED = OurCode("password-needed", "Password needed", 403).means(
        "This change has to be confirmed with the present password.",
        "Send the present password, or sign in with it first.",
    )
    ALREADY_DECIDED = OurCode("already-decided", "Request already decided", 409).means(
        "Somebody has approved or declined this request before.",
        "Look at the list of requests again.",
    )
    SIGN_UP_OFF = OurCode("sign-up-off", "No registration of this kind", 403).means(
        "The operator of this installation lets people register in another way, or not at all.",
        "Ask an organizer for a link that lets you in.",
    )
    WRONG_CODE = OurCode("wrong-code", "Wrong code", 403).means(
        "The code is not the one that lets people in here.",
        "Ask an organizer for the code, and mind upper and lower case.",
    )
    SIGN_IN_FAILED = OurCode("sign-in-failed", "Sign-in failed", 403).means(
        "The sign-in at the identity provider was not completed, or took too long.",
        "Begin again from the sign-in page.",
    )
    TOKEN_ENDS = OurCode("token-ends", "Token expires", 403).means(
        "A token with an expiry date cannot make anything that outlives it.",
        "Use a token without an expiry date.",
    )
    TOO_MANY_ATTEMPTS = OurCode("too-many-attempts", "Too many attempts", 429).means(
        "Too many sign-ins have failed from here or for this name.",
        "Wait as long as Retry-After says.",
    )
    TOO_MANY_TOKENS = OurCode("too-many-tokens", "Too many tokens", 409).means(
        "The account has as many tokens as one may have.", "Revoke tokens that are no longer used."
    )
    UNKNOWN_LINK = OurCode("unknown-link", "Link does not work", 404).means(
        "The link is unknown, used, revoked or expired; which of these is not told.",
        "Ask the person who gave it to you for a new one.",
    )
    UNKNOWN_USER = OurCode("unknown-user", "Unknown account", 422).means(
        "No account has this id.", "Look the id up among the accounts."
    )
    WIDER_TOKEN = OurCode("wider-token", "Token may not replace that one", 403).means(
        "A token can replace only itself or tokens created with it.",
        "Use the token that is to be replaced, or sign in with your password.",
    )
    WRONG_CREDENTIALS = OurCode("wrong-credentials", "Wrong name or password", 401).means(
        "No account has this name with this password.",
        "Check both; an organizer can give you a reset link.",
    )
    LINK_USED = OurCode("link-used", "Link used already", 409).means(
        "A link that was used cannot be revoked.",
        "Disable the account or remove the member instead.",
    )
    TOO_MANY_LINKS = OurCode("too-many-links", "Too many open links", 409).means(
        "You have as many open one-time links as one person may have.",
        "Revoke some that nobody needs.",
    )
