/** Made by `npm run sdk` from the reference document: change the schemas of the answers. */
export interface paths {
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a partner
         * @description Creates the company with its first user, and mails a token to the address. It works in the sandbox at once, and in live once the address is confirmed and its compliance record is approved. The answer is the same whether the address is known or not: where it is known, nothing is made, and its owner gets a mail. An account whose address nobody has confirmed for a day gives way to a new registration.
         *
         *     SDK: `auth.register`
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Gives an access token for one environment, the sandbox unless live is asked for. An address may try ten times a minute for one email. After ten wrong attempts in a row the account has to wait before each further one, for a minute at first and a quarter of an hour at most; `Retry-After` says how long.
         *
         *     SDK: `auth.login`
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an email address
         * @description The token comes by mail, works once and for 24 hours. Live keys work from the confirmation on; the sandbox needs none. The token that came to a new address makes it the address of the user. Send the password too: the first confirmation without it ends all API keys, sessions, invitations, other users, one-time codes and webhook endpoints that were made before, because somebody else may have registered with the address.
         *
         *     SDK: `auth.confirmEmail`
         */
        post: operations["confirmEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email/take-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an email address back
         * @description Takes the token that came to the old address when it was changed, within 72 hours, and another password. All sessions of the person end. One-time codes that were switched on after the change go off, older ones stay on.
         *
         *     SDK: `auth.takeEmailBack`
         */
        post: operations["takeEmailBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/forgotten": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a new password
         * @description Mails a token, good once and for thirty minutes, if a user has this email. The answer is the same if none has.
         *
         *     SDK: `auth.forgotPassword`
         */
        post: operations["forgetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a forgotten password
         * @description Takes the token that came by mail. All sessions of the person end. One-time codes stay on: the next login needs one.
         *
         *     SDK: `auth.resetPassword`
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Takes the token that came by mail, and the password that the new user chooses.
         *
         *     SDK: `invitations.accept`
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the partner, the credential and the rate limit
         * @description Shows whom a credential belongs to, in which environment it works, and when it ends.
         *
         *     SDK: `partner.get`
         */
        get: operations["getPartner"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the environment of the token, newest first, without those that were deleted.
         *
         *     SDK: `apiKeys.list`
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The full key is in `data.key` of this answer and is never shown again. It is for the environment of the token. For a live key the password must have been given within the last ten minutes, at the login or at `POST /v1/auth/proof`. A partner has at most 20 keys in force in one environment. `scopes` and `allowed_cidrs` bound what a stolen key is good for.
         *
         *     SDK: `apiKeys.create`
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description Makes another key with the same label, scopes and networks, which is good for as long as the old one was to be. The old key goes on for `overlap_seconds`, a day unless given, at most a week; with 0 it ends at once. A live key needs the password within the last ten minutes, as its creation does.
         *
         *     SDK: `apiKeys.rotate`
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description The key is refused everywhere within five seconds.
         *
         *     SDK: `apiKeys.delete`
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sessions
         * @description The sessions in force of the person whose token this is, in both environments, newest first.
         *
         *     SDK: `sessions.list`
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * Log out everywhere
         * @description Ends every session of this person in both environments, this one too. Their tokens are refused everywhere within five seconds.
         *
         *     SDK: `sessions.endAll`
         */
        delete: operations["endSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Log out
         * @description Ends one session; `current` as the id is the session of this token. Its token is refused everywhere within five seconds.
         *
         *     SDK: `sessions.end`
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/security-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List security events
         * @description What happened around the people, the credentials and the webhook endpoints of the partner, newest first. Some events are also mailed to every user with a confirmed address.
         *
         *     SDK: `securityEvents.list`
         */
        get: operations["listSecurityEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove once more who you are
         * @description Takes the password, and a one-time code where codes are on. What asks for a fresh proof, as making a live key does, then works for ten minutes with this token. A login is a proof too.
         *
         *     SDK: `auth.prove`
         */
        post: operations["proveSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Takes the old password, and a one-time code where codes are on. All other sessions of the person end.
         *
         *     SDK: `auth.changePassword`
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for one-time codes
         * @description Gives a secret for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until a first code has switched the codes on.
         *
         *     SDK: `oneTimeCodes.offer`
         */
        post: operations["offerOneTimeCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch one-time codes on
         * @description Takes a first code. From then on a login, a proof and a change of the password need a code, and each code works once. The answer shows ten recovery codes, once.
         *
         *     SDK: `oneTimeCodes.enable`
         */
        post: operations["enableOneTimeCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch one-time codes off
         * @description SDK: `oneTimeCodes.disable`
         */
        post: operations["disableOneTimeCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/totp/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description Those before stop working.
         *
         *     SDK: `oneTimeCodes.renewRecoveryCodes`
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for another confirmation mail
         * @description The token before does not work any more. An address gets five such mails in an hour, and none once it is confirmed.
         *
         *     SDK: `auth.sendConfirmation`
         */
        post: operations["sendConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the email address
         * @description Takes the password, and a one-time code where codes are on, and mails a token to the new address; an address that is another user's gets a mail without one, and the answer is the same. The address changes when the token is sent to `POST /v1/auth/email/confirm`. The old address then gets a token with which it can be taken back for 72 hours.
         *
         *     SDK: `auth.changeEmail`
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description The people who sign in for the partner, newest first. They belong to both environments.
         *
         *     SDK: `users.list`
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a user another role
         * @description In force everywhere within five seconds. It needs a proof of who asks that is younger than ten minutes, and the last owner stays one.
         *
         *     SDK: `users.setRole`
         */
        put: operations["setUserRole"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user
         * @description The tokens of the user are refused everywhere within five seconds. API keys that the user has made go on, because programs use them. It needs a proof of who asks that is younger than ten minutes, and the last owner cannot be removed.
         *
         *     SDK: `users.remove`
         */
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Those that are open, newest first.
         *
         *     SDK: `invitations.list`
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite somebody
         * @description Mails a token, good once and for seven days. The answer is the same whether another partner knows the email or not: where one does, its owner gets a mail without a token. Inviting an email again renews its invitation. It needs a proof of who asks that is younger than ten minutes. A partner has at most 50 users and invitations, and sends ten invitations in an hour before its address is confirmed.
         *
         *     SDK: `invitations.create`
         */
        post: operations["inviteUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description SDK: `invitations.withdraw`
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the wallets
         * @description Newest first. `user_ref` finds the one wallet of an owner. With `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `wallets.list`
         */
        get: operations["listWallets"];
        put?: never;
        /**
         * Create a wallet
         * @description One wallet per owner. It is `pending` until the bank has issued its account number (NUBAN); then it is `active`, and `wallet.activated` is sent. `wallet.parked` tells what it waits for where that needs somebody. In live the metadata must have what the companies demand of an owner, such as `email`, `first_name` and `last_name`; the sandbox demands it after `PUT /v1/sandbox/requirements`.
         *
         *     SDK: `wallets.create`
         */
        post: operations["createWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a wallet with its balance
         * @description SDK: `wallets.get`
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the metadata of a wallet
         * @description Merges `metadata` into what is there; null takes a key away. A wallet that is parked for want of a detail, and a BVN or NIN that waits for a name, go on at once. What live demands cannot be taken away. The name of an account that has been opened stays.
         *
         *     SDK: `wallets.change`
         */
        patch: operations["changeWallet"];
        trace?: never;
    };
    "/v1/wallets/{id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a wallet's balance at a time
         * @description The balance after the last ledger entry that was written until then; 0 before the first. That of the last ten seconds may still change, because a payment gets its time before it is committed. A time in the future is refused.
         *
         *     SDK: `wallets.balance`
         */
        get: operations["getWalletBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a wallet's transactions
         * @description Newest first: all in which the wallet is source or destination. Wallets are shown as ids.
         *
         *     SDK: `wallets.transactions`
         */
        get: operations["listWalletTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a wallet's ledger entries
         * @description Newest first, by `sequence`. Each `balance_after` is the one before plus or minus the amount.
         *
         *     SDK: `wallets.ledger`
         */
        get: operations["listWalletEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a wallet's statement
         * @description The entries of a period, oldest first, between the balances before and after it. Without `from` it begins with the wallet, without `to` it ends now. The last ten seconds may still change, because a payment gets its time before it is committed. At most 1,000,000 entries, 10,000 as PDF; two at once, and one as PDF.
         *
         *     SDK: `wallets.statement`
         */
        get: operations["getWalletStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a wallet
         * @description Money still comes in, and none goes out, until it is unfrozen or `expires_at` has passed. The reason is kept for audits and shown to nobody.
         *
         *     SDK: `wallets.freeze`
         */
        post: operations["freezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze a wallet
         * @description Lifts the partner's own freeze; an operator's is lifted by operators alone.
         *
         *     SDK: `wallets.unfreeze`
         */
        post: operations["unfreezeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a wallet
         * @description A wallet that has an account is closed for ever; its user_ref stays taken. Its balance must be zero, and it must have no pending or processing transaction. A pending wallet that is closed gets no account any more, and can be opened again while none was ordered for it (`reopen`).
         *
         *     SDK: `wallets.close`
         */
        post: operations["closeWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a wallet again that never had an account
         * @description A wallet that was closed while it was pending, before an account was ordered for it, is pending again, and its user_ref names it as before. Any other closed wallet stays closed. `metadata` is merged into what is there.
         *
         *     SDK: `wallets.reopen`
         */
        post: operations["reopenWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transactions
         * @description Newest first. Wallets are shown as ids. With `type` or `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `transactions.list`
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction
         * @description As it is now. Wallets are shown as ids.
         *
         *     SDK: `transactions.get`
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what happened to a transaction
         * @description Oldest first: ledger entries, attempts at the payout, callbacks, the steps of a USSD session, orders by hand, the reversal, events, and what endpoints answered. Events and deliveries are shown while they are kept, and of failed deliveries the last 200.
         *
         *     SDK: `transactions.timeline`
         */
        get: operations["getTransactionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/name-decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about a transfer whose account has another name at its bank
         * @description Of a bank transfer with `on_name_mismatch: hold`. Compare `account_name` and `resolved_name` of its `dest_account`, and have it go on or fail. Its end is told by its event.
         *
         *     SDK: `transactions.decideName`
         */
        post: operations["decideAboutName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/volumes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See volumes by hour or day
         * @description Oldest first, by type of transaction; an hour or day without any is left out. Without `to` the period ends now, without `from` it is a day. At most 8 days by the hour and 93 by the day, and 50,000 transactions.
         *
         *     SDK: `volumes.list`
         */
        get: operations["listVolumes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/wallets/{id}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set or reset the wallet PIN
         * @description Sandbox wallets begin with 1234. A PIN locked by nine wrong tries is unlocked by a reset. Live refuses what is easy to guess: four equal digits, a pair twice, digits in a row, a year of birth, and the birthday in the metadata of the wallet. So does a sandbox that demands what live demands (`PUT /v1/sandbox/requirements`).
         *
         *     SDK: `wallets.setPin`
         */
        put: operations["setWalletPin"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/p2p": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer between two wallets
         * @description A 200 means that it happened. The source pays the amount and the fee (0.5 %, at most 20,000 kobo); the destination receives exactly the amount. The same reference for the same transfer answers the original.
         *
         *     SDK: `transfers.p2p`
         */
        post: operations["p2pTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bank": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer to a bank account
         * @description The source is debited the amount and the flat fee (5,000 kobo) at once. The outcome comes later, as `transaction.completed` or `transaction.failed`; a failed transfer is given back in full by itself.
         *
         *     SDK: `transfers.bank`
         */
        post: operations["bankTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the banks
         * @description SDK: `banks.list`
         */
        get: operations["listBanks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/banks/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve the name of a bank account
         * @description Show the name to the sender before the money is sent, because a transfer cannot be called back. Sixty enquiries a minute.
         *
         *     SDK: `banks.resolve`
         */
        get: operations["resolveBankAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bulk transfers
         * @description Newest first. With `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `bulkTransfers.list`
         */
        get: operations["listBulkTransfers"];
        put?: never;
        /**
         * Make up to ten thousand transfers
         * @description All lines are checked before anything is accepted: a line that is not well-formed, or that names a wallet or a bank that does not exist, refuses the whole. Then each line is a transfer of its own, in the order of the request, with its own reference, result and events; one that is refused stops no other. A line whose reference was used for the same transfer before gets that transaction. A body has at most 8388608 bytes, and 250000 of the characters { } [ ] , : outside of strings. It takes a place of the rate limit for each 262144 bytes or for each thousand lines, whichever is more, and the places for its bytes are taken before it is read. A partner sends one body beyond 262144 bytes at a time.
         *
         *     SDK: `bulkTransfers.create`
         */
        post: operations["createBulkTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk transfer
         * @description As it is now, with how many of its lines have a result.
         *
         *     SDK: `bulkTransfers.get`
         */
        get: operations["getBulkTransfer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the lines of a bulk transfer
         * @description In the order of the request, each with its result: the transaction, or why it was refused.
         *
         *     SDK: `bulkTransfers.lines`
         */
        get: operations["listBulkTransferLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a bulk transfer
         * @description Lines that have begun are finished; no other line begins.
         *
         *     SDK: `bulkTransfers.pause`
         */
        post: operations["pauseBulkTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a bulk transfer
         * @description Goes on with the lines that have not begun.
         *
         *     SDK: `bulkTransfers.resume`
         */
        post: operations["resumeBulkTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/bulk/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a bulk transfer
         * @description Lines that have not begun are cancelled, for good. What has happened is not taken back.
         *
         *     SDK: `bulkTransfers.cancel`
         */
        post: operations["cancelBulkTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fees
         * @description What the source of each type of transaction pays on top of the amount.
         *
         *     SDK: `fees.list`
         */
        get: operations["listFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/quotes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quote a payment before it is made
         * @description Takes the body of the transfer, and answers the fees, what the source would be debited, and in `refusal` with what the transfer would be refused at this moment. Nothing moves and no money is kept ready: the balance may change before the transfer comes.
         *
         *     SDK: `quotes.create`
         */
        post: operations["createQuote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the holds
         * @description Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `holds.list`
         */
        get: operations["listHolds"];
        put?: never;
        /**
         * Set an amount aside
         * @description Nothing moves: the balance stays, and `available_kobo` is less by the amount until the hold is captured, released or expires, after a day unless another time is asked for, and at most after seven. The fee of the payment is taken at the capture; hold `total_debit` of a quote to be sure of it. The same reference for the same hold answers the original.
         *
         *     SDK: `holds.create`
         */
        post: operations["placeHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a hold
         * @description SDK: `holds.get`
         */
        get: operations["getHold"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay from a hold
         * @description The ordinary transfer to `dest_wallet` or to `dest_account`, at most of the amount that is held, with its fee and under the reference of the hold. The hold ends in the same commit, and what the transfer does not take is free again. A transfer to a bank that fails later is given back to the wallet; the hold stays captured. The same capture again answers the original.
         *
         *     SDK: `holds.capture`
         */
        post: operations["captureHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/holds/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a hold
         * @description What it has set aside is free again. To release it a second time answers the same.
         *
         *     SDK: `holds.release`
         */
        post: operations["releaseHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scheduled transfers
         * @description Newest first. With `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `scheduledTransfers.list`
         */
        get: operations["listScheduledTransfers"];
        put?: never;
        /**
         * Make a transfer later, once or again and again
         * @description With `due_at` once, or by a `rule` of the calendar in Lagos: every day, week or month at a time, until its last day or for a number of due times. Nothing is set aside. Each due time is the ordinary transfer, with its fee, its events and a reference of its own, and it is paid once at most. One that could not be paid within 24 hours is skipped. Every due time tells its result: `scheduled_transfer.paid`, `.skipped` or `.failed`; the last one is followed by `.ended`. At most 100 may be active in a sandbox, and 10,000 in live.
         *
         *     SDK: `scheduledTransfers.create`
         */
        post: operations["createScheduledTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/scheduled/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scheduled transfer
         * @description As it is now, with its next due time.
         *
         *     SDK: `scheduledTransfers.get`
         */
        get: operations["getScheduledTransfer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/scheduled/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the due times of a scheduled transfer
         * @description Those that have come, the newest first, each with its result.
         *
         *     SDK: `scheduledTransfers.runs`
         */
        get: operations["listScheduledTransferRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transfers/scheduled/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scheduled transfer
         * @description No due time is paid any more, also one that still waits for money. What was paid is not taken back; a transfer that is being posted at this very moment still counts. To cancel a second time answers the same.
         *
         *     SDK: `scheduledTransfers.cancel`
         */
        post: operations["cancelScheduledTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/kyc/bvn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the BVN of an end user
         * @description The result arrives as `kyc.verified` or `kyc.failed`. The user needs no wallet; where a wallet of this `user_ref` has `first_name` and `last_name` in its metadata, the record must have that name. Where every company compares names, that wallet must be there. While the same number of the same user is pending, submitting it again answers with the same verification. In sandbox every BVN is verified, but `00000000000` and `00000000001` are not found, `00000000002` has another name, and `00000000003` is pending for 30 seconds and fails with `PROVIDER_UNAVAILABLE`.
         *
         *     SDK: `kyc.bvn`
         */
        post: operations["verifyBvn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/kyc/nin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the NIN of an end user
         * @description The result arrives as `kyc.verified` or `kyc.failed`. The user needs no wallet; where a wallet of this `user_ref` has `first_name` and `last_name` in its metadata, the record must have that name. Where every company compares names, that wallet must be there. While the same number of the same user is pending, submitting it again answers with the same verification. In sandbox every NIN is verified.
         *
         *     SDK: `kyc.nin`
         */
        post: operations["verifyNin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/kyc/{userRef}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the verifications of an end user, newest first
         * @description Neither a BVN nor a NIN is ever shown, not even in part.
         *
         *     SDK: `kyc.status`
         */
        get: operations["getKycStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/qr/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a payment by QR
         * @description Gives a picture to show and its text. Nothing moves until somebody pays; a request is paid once, and expires after five minutes unless another time is asked for.
         *
         *     SDK: `qr.create`
         */
        post: operations["createQrPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the QR payment requests
         * @description Newest first, without their pictures. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `qr.list`
         */
        get: operations["listQrPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/qr/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a QR payment request
         * @description The request is named by its reference, or by the whole text that was scanned, which must be the text that was issued. A repeat from the same wallet gets the original payment.
         *
         *     SDK: `qr.pay`
         */
        post: operations["payQrPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/qr/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a QR payment request
         * @description As it is now, with its picture. A reference stands in the path with its special characters encoded.
         *
         *     SDK: `qr.get`
         */
        get: operations["getQrPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay several wallets at once
         * @description Either all legs happen or none. Each is a transaction of its own under the same reference, numbered from 0 by `metadata.split_index`. Only amounts count: nothing is computed from the percentages. Ten legs take one place of the rate limit, and the metadata of all legs together has at most 262,144 bytes.
         *
         *     SDK: `payments.split`
         */
        post: operations["splitPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/ussd/initiate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Initiate a USSD payment
         * @description The payer dials the code within three minutes and confirms with the wallet PIN. Without merchant_wallet_id the partner’s settlement wallet is paid.
         *
         *     SDK: `ussd.initiate`
         */
        post: operations["initiateUssd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/ussd": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the USSD sessions
         * @description Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.
         *
         *     SDK: `ussd.list`
         */
        get: operations["listUssdSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/ussd/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a USSD session
         * @description SDK: `ussd.get`
         */
        get: operations["getUssdSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/ussd/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or cancel a USSD payment in the payer’s place
         * @description SDK: `sandbox.simulateUssd`
         */
        post: operations["simulateUssd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/ussd/dial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play the phone of a payer
         * @description Carries a dialogue on as a gateway does: the screens, the PIN and its attempts are the real ones. A code of another partner is unknown.
         *
         *     SDK: `sandbox.dialUssd`
         */
        post: operations["dialUssd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description SDK: `webhooks.list`
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook endpoint
         * @description The `secret` of the answer verifies the signatures of deliveries and is shown only here. In live the address must be https and public, and is registered once. At most 20 endpoints.
         *
         *     SDK: `webhooks.create`
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description SDK: `webhooks.get`
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description SDK: `webhooks.delete`
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Another address or other events, or off and on again; what is left out stays, and so does the secret. What an endpoint misses while it is off is kept, and sent by `recover`.
         *
         *     SDK: `webhooks.update`
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a webhook endpoint
         * @description Sends `webhook.test`, or a sample of the named event, to this endpoint alone: signed and repeated as every delivery is. A disabled endpoint is refused, because nothing would be sent to it.
         *
         *     SDK: `webhooks.test`
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of a webhook endpoint
         * @description The `secret` of the answer is shown only here. For a day, or as long as the body asks for, deliveries are signed with the secret before as well, so `webhook-signature` has several items. Ask for 0 seconds when the secret before has leaked. At most four earlier secrets are in force at once.
         *
         *     SDK: `webhooks.rotateSecret`
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events
         * @description Newest first, whether or not an endpoint was subscribed to them. Events are kept for 30 days, and what was never delivered for a year. With a filter a page may be short, or empty, and still have a next one. With `after` it gives what came later, oldest first and each once, and `wait` has it answer as soon as there is something: go on with `meta.next_after`. With the id of the last event instead, one that was committed late may be left out. Waiting counts as a stream.
         *
         *     SDK: `events.list`
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listen to the events
         * @description Server-Sent Events, as they are committed, whether or not an endpoint was subscribed to them. The first is `ready`. The data of each event is the body of a delivery; one that comes again has the same `webhook_id`. After `bye`, or a broken connection, go on with the last id in `Last-Event-ID`: nothing is left out, and the last thirty seconds come again. `gap` says that older events are not kept. A partner may have five streams at once; each ends after half an hour.
         *
         *     SDK: `events.stream`
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description SDK: `events.get`
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description To every active endpoint that it was meant for, or to the one that the body names, with the same id and the same bytes. Attempts begin anew.
         *
         *     SDK: `events.redeliver`
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to an endpoint
         * @description By event, newest first. A delivery is named by its endpoint and its event. With a filter a page may be short, or empty, and still have a next one.
         *
         *     SDK: `webhooks.deliveries`
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description What was sent, and what came of each attempt. Of those that succeeded the last one is kept.
         *
         *     SDK: `webhooks.delivery`
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an endpoint what it did not get
         * @description Makes every `failed` and `parked` delivery due again whose event was written since then, oldest first. Switch a disabled endpoint on first.
         *
         *     SDK: `webhooks.recover`
         */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests
         * @description What the keys and users of the partner asked for, newest first, a moment after each was answered. Kept for 7 days in the sandbox and for 30 in live, without paths. Under an overload, or in a crash, some may be left out. With a filter a page may be short, or empty, and still have a next one.
         *
         *     SDK: `requests.list`
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch the requests
         * @description Server-Sent Events: each `request` is a request as the list shows it, a moment after it was answered. It begins, goes on and ends as the stream of events does, and a partner may have five of them as well. A request that took longer than thirty seconds may be missing here; the list has it.
         *
         *     SDK: `requests.stream`
         */
        get: operations["streamRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a request
         * @description By the `X-Request-Id` of its answer, with the first 4 KB of both bodies in the sandbox. `[hidden]` stands there for what is secret or says something about a person, and for fields that the operation does not know.
         *
         *     SDK: `requests.get`
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/compliance/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compliance record and step completion
         * @description SDK: `compliance.status`
         */
        get: operations["getComplianceStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/compliance/business": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Business registration
         * @description SDK: `compliance.business`
         */
        post: operations["submitBusinessInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/compliance/directors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Directors
         * @description Replaces the list. A BVN is verified afterwards and reported by kyc.verified or kyc.failed; numbers are encrypted at rest.
         *
         *     SDK: `compliance.directors`
         */
        post: operations["submitDirectors"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/compliance/agreements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terms, AML policy and data processing agreement
         * @description SDK: `compliance.agreements`
         */
        post: operations["acceptAgreements"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/partner/compliance/use-case": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Use case
         * @description If every other step is complete, this submits the record for review.
         *
         *     SDK: `compliance.useCase`
         */
        post: operations["submitUseCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/compliance/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plays the reviewer of the compliance record
         * @description SDK: `sandbox.reviewCompliance`
         */
        post: operations["reviewCompliance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/wallets/{wallet_id}/fund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fund a wallet
         * @description Credits it as an inbound bank transfer would; sends `transaction.completed`.
         *
         *     SDK: `sandbox.fund`
         */
        post: operations["fundWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/bank-transfer/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a bank transfer
         * @description Ends a processing transfer at once; sends `transaction.completed`.
         *
         *     SDK: `sandbox.completeTransfer`
         */
        post: operations["completeBankTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/bank-transfer/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a bank transfer
         * @description Ends a processing transfer at once and gives the debit back; sends `transaction.failed`.
         *
         *     SDK: `sandbox.failTransfer`
         */
        post: operations["failBankTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset the sandbox
         * @description Permanently deletes every wallet, transaction and KYC record of the sandbox, with all that belongs to them. Keys, webhook endpoints and compliance stay. user_refs and references are free again. During the reset other writes are answered 503. If the reset takes long, this request is answered 503 as well; the same request then waits for the end.
         *
         *     SDK: `sandbox.reset`
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how much the sandbox has stored
         * @description What requests have stored, in bytes. When it reaches `allowed_bytes`, what would store more is refused with LIMIT_EXCEEDED until a reset; reading goes on. Before the email address is confirmed less is allowed.
         *
         *     SDK: `sandbox.storage`
         */
        get: operations["getSandboxStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenarios of bank transfers
         * @description A bank transfer with one of these in its header `X-Sandbox-Scenario`, or to an account with the ending, goes that way each time. Live knows neither.
         *
         *     SDK: `sandbox.scenarios`
         */
        get: operations["listSandboxScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/webhooks/{id}/fault": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Have deliveries go wrong
         * @description For some seconds the deliveries to this endpoint go wrong as `mode` says; `none` ends that. Deliveries and timelines name the fault.
         *
         *     SDK: `sandbox.fault`
         */
        put: operations["setWebhookFault"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock/forward": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forward the time
         * @description Moves the deadlines of everything that is open earlier by so many seconds, as if they had passed; what is over by then ends at once, with its events. Scheduled transfers run each due time that the calendar passes, in one order with the ends of holds and freezes, each once and under its own date, on whose day it counts for limits. No clock and no timestamp changes, and wallets that are being opened stay. LIMIT_EXCEEDED says how many due times, or tries of such as want money, would wait for their run at once, where these are more than 1,000 or 10,000; then nothing is moved.
         *
         *     SDK: `sandbox.forward`
         */
        post: operations["forwardClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the limits of wallets
         * @description The limits of the Central Bank of Nigeria by tier, and whether your sandbox enforces them. In live they are always enforced. A wallet comes into its tier by the verifications of its user_ref.
         *
         *     SDK: `sandbox.limits`
         */
        get: operations["getSandboxLimits"];
        /**
         * Switch the limits of wallets on or off
         * @description With `enforced: true` all wallets of your sandbox come under the limits that live has; a payment beyond one is refused with LIMIT_EXCEEDED and `detail: {limit, used_kobo, allowed_kobo, resets_at}`. The use of a day is counted from now on. A reset switches them off. If this is answered 503, the same request does what was left.
         *
         *     SDK: `sandbox.setLimits`
         */
        put: operations["setSandboxLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what live demands of owners
         * @description What the companies that serve live demand before they open an account or check a number, and whether your sandbox demands it as well. Where live has no company yet, it is what any of them would demand.
         *
         *     SDK: `sandbox.requirements`
         */
        get: operations["getSandboxRequirements"];
        /**
         * Have the sandbox demand what live demands
         * @description With `as_live: true` a wallet, a change of its metadata and a BVN or NIN without what live demands of the owner are refused with VALIDATION_ERROR, as in live. A reset switches it off.
         *
         *     SDK: `sandbox.setRequirements`
         */
        put: operations["setSandboxRequirements"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "transaction.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A transaction has completed: P2P and funding at once, a bank transfer when its bank has it, a USSD payment after its PIN */
        post: operations["on.transaction.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A bank transfer has failed and was given back, or a USSD payment was cancelled or has failed */
        post: operations["on.transaction.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A completed bank transfer came back; an endpoint that has not subscribed to it gets `transaction.failed` instead */
        post: operations["on.transaction.reversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The three minutes of a USSD payment are over; for endpoints that subscribe to it */
        post: operations["on.transaction.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transaction.name_mismatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The bank has another name for the account than was sent with `on_name_mismatch: hold`; both are in the transaction */
        post: operations["on.transaction.name_mismatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A pending wallet has its account number */
        post: operations["on.wallet.activated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "wallet.parked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** No account number can be opened for a pending wallet until somebody acts: details about its owner are missing, or the bank has given no number for a day; once each time that it begins to wait */
        post: operations["on.wallet.parked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_transfer.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Every line of a bulk transfer has its result, or the lines that had not begun were cancelled */
        post: operations["on.bulk_transfer.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scheduled_transfer.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The transfer of a due time was made; one to a bank tells its end by its own event */
        post: operations["on.scheduled_transfer.paid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scheduled_transfer.skipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A due time passed without a transfer: for want of money, because it was too late, or because it was cancelled */
        post: operations["on.scheduled_transfer.skipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scheduled_transfer.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The transfer of a due time was refused; the next due time is tried, unless a wallet is closed */
        post: operations["on.scheduled_transfer.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scheduled_transfer.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** No due time of a scheduled transfer is left, it was cancelled, or a wallet of it is closed */
        post: operations["on.scheduled_transfer.ended"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A BVN or NIN, a director’s too, is verified */
        post: operations["on.kyc.verified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A BVN or NIN, a director’s too, could not be verified */
        post: operations["on.kyc.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A test of this endpoint was requested; endpoints do not subscribe to it */
        post: operations["on.webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Registration: Registration;
        Credentials: Credentials;
        EmailConfirmation: EmailConfirmation;
        EmailTakeBack: EmailTakeBack;
        ForgottenPassword: ForgottenPassword;
        PasswordReset: PasswordReset;
        InvitationAcceptance: InvitationAcceptance;
        APIKeyCreation: APIKeyCreation;
        APIKeyRotation: APIKeyRotation;
        Proof: Proof;
        PasswordChange: PasswordChange;
        FirstCode: FirstCode;
        EmailChange: EmailChange;
        RoleChange: RoleChange;
        InvitationRequest: InvitationRequest;
        WalletCreation: WalletCreation;
        WalletChange: WalletChange;
        WalletFreeze: WalletFreeze;
        WalletAction: WalletAction;
        WalletReopening: WalletReopening;
        NameDecision: NameDecision;
        WalletPin: WalletPin;
        P2pTransferRequest: P2pTransferRequest;
        BankTransferRequest: BankTransferRequest;
        BulkTransferRequest: BulkTransferRequest;
        BulkTransferLineRequest: BulkTransferLineRequest;
        QuoteRequest: QuoteRequest;
        HoldRequest: HoldRequest;
        CaptureRequest: CaptureRequest;
        ScheduledTransferRequest: ScheduledTransferRequest;
        CalendarRule: CalendarRule;
        BvnSubmission: BvnSubmission;
        NinSubmission: NinSubmission;
        QrCreateRequest: QrCreateRequest;
        QrPayRequest: QrPayRequest;
        SplitRequest: SplitRequest;
        UssdInitiation: UssdInitiation;
        UssdSimulation: UssdSimulation;
        UssdDial: UssdDial;
        WebhookRegistration: WebhookRegistration;
        WebhookChange: WebhookChange;
        WebhookTest: WebhookTest;
        WebhookSecretRotation: WebhookSecretRotation;
        EventRedelivery: EventRedelivery;
        WebhookRecovery: WebhookRecovery;
        Funding: Funding;
        TransferCompletion: TransferCompletion;
        TransferFailure: TransferFailure;
        WebhookFault: WebhookFault;
        ClockForward: ClockForward;
        SandboxLimitsSwitch: SandboxLimitsSwitch;
        SandboxRequirementsSwitch: SandboxRequirementsSwitch;
        MoneyMoved: MoneyMoved;
        TransactionType: TransactionType;
        TransactionStatus: TransactionStatus;
        BankTransferCompleted: BankTransferCompleted;
        UssdPaymentCompleted: UssdPaymentCompleted;
        BankTransferFailed: BankTransferFailed;
        BankTransferReturned: BankTransferReturned;
        UssdPaymentFailed: UssdPaymentFailed;
        UssdPaymentExpired: UssdPaymentExpired;
        BankTransferNameMismatch: BankTransferNameMismatch;
        WalletActivated: WalletActivated;
        WalletStatus: WalletStatus;
        AccountStatus: AccountStatus;
        WalletParked: WalletParked;
        BulkTransfer: BulkTransfer;
        BulkTransferStatus: BulkTransferStatus;
        BulkTransferCounts: BulkTransferCounts;
        ScheduledTransferRunEnded: ScheduledTransferRunEnded;
        ScheduledTransferRunResult: ScheduledTransferRunResult;
        ScheduledTransferRunStatus: ScheduledTransferRunStatus;
        ScheduledTransfer: ScheduledTransfer;
        ScheduledTransferStatus: ScheduledTransferStatus;
        CalendarRuleOfAnswer: CalendarRuleOfAnswer;
        KycVerified: KycVerified;
        VerificationType: VerificationType;
        KycFailed: KycFailed;
        VerificationFailure: VerificationFailure;
        WebhookTestDelivery: WebhookTestDelivery;
        ErrorCode: ErrorCode;
        FieldProblem: FieldProblem;
        Meta: Meta;
        Partner: Partner;
        Login: Login;
        ConfirmedEmail: ConfirmedEmail;
        User: User;
        PartnerOfCaller: PartnerOfCaller;
        CreatedAPIKey: CreatedAPIKey;
        ListedAPIKey: ListedAPIKey;
        PageMeta: PageMeta;
        Session: Session;
        SecurityEvent: SecurityEvent;
        OneTimeCodeOffer: OneTimeCodeOffer;
        RecoveryCodes: RecoveryCodes;
        Invitation: Invitation;
        Wallet: Wallet;
        WalletInList: WalletInList;
        WalletWithBalance: WalletWithBalance;
        WalletBalance: WalletBalance;
        Transaction: Transaction;
        DestinationAccount: DestinationAccount;
        SplitConfig: SplitConfig;
        SplitEntry: SplitEntry;
        FeeBreakdown: FeeBreakdown;
        PspMeta: PspMeta;
        InboundSender: InboundSender;
        LedgerEntry: LedgerEntry;
        Statement: Statement;
        StatementEntry: StatementEntry;
        Counterparty: Counterparty;
        TimelineItem: TimelineItem;
        Volume: Volume;
        Bank: Bank;
        ResolvedAccount: ResolvedAccount;
        BulkTransferLine: BulkTransferLine;
        BulkTransferLineStatus: BulkTransferLineStatus;
        BulkTransferLineRefusal: BulkTransferLineRefusal;
        FeeRule: FeeRule;
        Quote: Quote;
        QuoteRefusal: QuoteRefusal;
        Hold: Hold;
        HoldStatus: HoldStatus;
        ScheduledTransferRun: ScheduledTransferRun;
        KycSubmitted: KycSubmitted;
        KycStatus: KycStatus;
        KycVerification: KycVerification;
        QrPaymentRequest: QrPaymentRequest;
        QrRequestInList: QrRequestInList;
        QrStatus: QrStatus;
        QrRequest: QrRequest;
        UssdStarted: UssdStarted;
        UssdStatus: UssdStatus;
        UssdSession: UssdSession;
        UssdScreen: UssdScreen;
        WebhookEndpoint: WebhookEndpoint;
        RegisteredWebhookEndpoint: RegisteredWebhookEndpoint;
        RotatedWebhookEndpoint: RotatedWebhookEndpoint;
        Event: Event;
        EventRedelivered: EventRedelivered;
        Delivery: Delivery;
        DeliveryStatus: DeliveryStatus;
        DeliveryDetail: DeliveryDetail;
        DeliveryTry: DeliveryTry;
        WebhookRecovered: WebhookRecovered;
        LoggedRequest: LoggedRequest;
        LoggedRequestWithBodies: LoggedRequestWithBodies;
        ComplianceStatus: ComplianceStatus;
        FundingResult: FundingResult;
        TransferOutcome: TransferOutcome;
        ResetResult: ResetResult;
        SandboxStorage: SandboxStorage;
        SandboxScenarios: SandboxScenarios;
        SandboxScenario: SandboxScenario;
        WebhookFaultResult: WebhookFaultResult;
        ClockForwarded: ClockForwarded;
        SandboxLimits: SandboxLimits;
        LimitTier: LimitTier;
        SandboxRequirements: SandboxRequirements;
        Error: Error;
    };
    responses: {
        /** @description `INVALID_TOKEN`: The credential is missing or not valid */
        InvalidToken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The body is larger than 262144 bytes */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: Too many requests in this minute */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description `INTERNAL_ERROR`: Unexpected error */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
        /** @description `SERVICE_UNAVAILABLE`: Not available right now; the same request is safe to repeat */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": Error;
            };
        };
    };
    parameters: {
        /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
        Strict: "true" | "false";
        /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request, by which support finds it */
        "X-Request-Id": string;
        /** @description The version of the interface */
        "X-API-Version": string;
        /** @description Requests per minute of the partner's tier */
        "X-RateLimit-Limit": number;
        /** @description How many of them are left in this minute */
        "X-RateLimit-Remaining": number;
        /** @description Seconds until the minute ends */
        "X-RateLimit-Reset": number;
        /** @description Only on a repeat: this is the answer to the first request with this key or reference */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    register: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "business_name": "Acme Fintech",
                 *       "email": "owner@acme.example",
                 *       "phone": "+2348012345678",
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Registration;
            };
        };
        responses: {
            /** @description The partner; a mail is on its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "business_name": "Acme Fintech",
                     *         "email": "owner@acme.example",
                     *         "phone": "+2348012345678",
                     *         "status": "active",
                     *         "tier": "starter",
                     *         "created_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Partner;
                        meta: Meta;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@acme.example",
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Credentials;
            };
        };
        responses: {
            /** @description The token and the partner */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9...",
                     *         "token_type": "Bearer",
                     *         "expires_in": 3600,
                     *         "partner": {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "business_name": "Acme Fintech",
                     *           "email": "owner@acme.example",
                     *           "phone": "+2348012345678",
                     *           "status": "active",
                     *           "tier": "starter",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Login;
                        meta: Meta;
                    };
                };
            };
            /**
             * @description `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the token of the mail"
                 *     }
                 */
                "application/json": EmailConfirmation;
            };
        };
        responses: {
            /** @description The confirmed address */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "email": "owner@acme.example",
                     *         "confirmed_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ConfirmedEmail;
                        meta: Meta;
                    };
                };
            };
            /**
             * @description `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `EMAIL_ALREADY_REGISTERED`: A user with this email exists already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeEmailBack: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the token of the mail",
                 *       "new_password": "seven green kettles"
                 *     }
                 */
                "application/json": EmailTakeBack;
            };
        };
        responses: {
            /** @description The old address and the new password are in force */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forgetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "owner@acme.example"
                 *     }
                 */
                "application/json": ForgottenPassword;
            };
        };
        responses: {
            /** @description Taken */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the token of the mail",
                 *       "new_password": "seven green kettles"
                 *     }
                 */
                "application/json": PasswordReset;
            };
        };
        responses: {
            /** @description The new password is in force */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "the token of the mail",
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": InvitationAcceptance;
            };
        };
        responses: {
            /** @description The new user */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "email": "finance@acme.example",
                     *         "role": "owner",
                     *         "email_confirmed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: User;
                        meta: Meta;
                    };
                };
            };
            /** @description `EMAIL_ALREADY_REGISTERED`: A user with this email exists already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPartner: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The partner */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "business_name": "Acme Fintech",
                     *         "email": "owner@acme.example",
                     *         "phone": "+2348012345678",
                     *         "status": "active",
                     *         "tier": "starter",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "environment": "sandbox",
                     *         "credential": {
                     *           "type": "api_key",
                     *           "key_prefix": "sk_test_4fzQ",
                     *           "expires_at": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         "rate_limit": {
                     *           "limit": 600,
                     *           "remaining": 599,
                     *           "reset_seconds": 42
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: PartnerOfCaller;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                /** @description Shows for each key on which days it was used */
                include?: "used_by_day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "key_prefix": "sk_test_4fzQ...",
                     *           "environment": "sandbox",
                     *           "label": "Back office",
                     *           "scopes": [
                     *             "read"
                     *           ],
                     *           "allowed_cidrs": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "last_used_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "used_by_day": [
                     *             {
                     *               "day": "2026-11-25",
                     *               "requests": 1
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ListedAPIKey[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": APIKeyCreation;
            };
        };
        responses: {
            /** @description The key, shown once */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "key_prefix": "sk_test_4fzQ...",
                     *         "environment": "sandbox",
                     *         "label": "Back office",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "last_used_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "key": "sk_test_4fzQ..."
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: CreatedAPIKey;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             *
             *     `PROOF_REQUIRED`: This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": APIKeyRotation;
            };
        };
        responses: {
            /** @description The new key, shown once */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "key_prefix": "sk_test_4fzQ...",
                     *         "environment": "sandbox",
                     *         "label": "Back office",
                     *         "scopes": [
                     *           "read"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "last_used_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "key": "sk_test_4fzQ..."
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: CreatedAPIKey;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             *
             *     `PROOF_REQUIRED`: This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "environment": "sandbox",
                     *           "address": "203.0.113.7",
                     *           "current": true,
                     *           "proved_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Session[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions have ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecurityEvents: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "kind": "account.registered",
                     *           "description": "Rent for January",
                     *           "user_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "address": "192.0.2.10",
                     *           "detail": {},
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: SecurityEvent[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    proveSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Proof;
            };
        };
        responses: {
            /** @description It is proved */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles",
                 *       "new_password": "seven green kettles"
                 *     }
                 */
                "application/json": PasswordChange;
            };
        };
        responses: {
            /** @description The new password is in force */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    offerOneTimeCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Proof;
            };
        };
        responses: {
            /** @description The secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "secret": "JBSWY3DPEHPK3PXP",
                     *         "uri": "otpauth://totp/Partner%20wallets:owner%40acme.example?secret=JBSWY3DPEHPK3PXP"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: OneTimeCodeOffer;
                        meta: Meta;
                    };
                };
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enableOneTimeCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "492039"
                 *     }
                 */
                "application/json": FirstCode;
            };
        };
        responses: {
            /** @description The recovery codes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "recovery_codes": [
                     *           "3MZQ-K5TA-7WQN-XJ2C"
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: RecoveryCodes;
                        meta: Meta;
                    };
                };
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableOneTimeCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Proof;
            };
        };
        responses: {
            /** @description The codes are off */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles"
                 *     }
                 */
                "application/json": Proof;
            };
        };
        responses: {
            /** @description The recovery codes, shown once */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "recovery_codes": [
                     *           "3MZQ-K5TA-7WQN-XJ2C"
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: RecoveryCodes;
                        meta: Meta;
                    };
                };
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Taken */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "seven green kettles",
                 *       "new_email": "new-owner@acme.example"
                 *     }
                 */
                "application/json": EmailChange;
            };
        };
        responses: {
            /** @description A mail is on its way to the new address */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `INVALID_TOKEN`: The credential is missing or not valid
             *
             *     `INVALID_CREDENTIALS`: The email, the password or the one-time code is wrong
             *
             *     `ONE_TIME_CODE_REQUIRED`: A one-time code is needed too, in the field code
             */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "email": "finance@acme.example",
                     *           "role": "owner",
                     *           "email_confirmed_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: User[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUserRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "owner"
                 *     }
                 */
                "application/json": RoleChange;
            };
        };
        responses: {
            /** @description The user */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "email": "finance@acme.example",
                     *         "role": "owner",
                     *         "email_confirmed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: User;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             *
             *     `PROOF_REQUIRED`: This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LAST_OWNER`: A partner needs an owner, and this is the last one
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             *
             *     `PROOF_REQUIRED`: This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LAST_OWNER`: A partner needs an owner, and this is the last one
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invitations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "email": "finance@acme.example",
                     *           "role": "owner",
                     *           "expires_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Invitation[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    inviteUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "finance@acme.example",
                 *       "role": "owner"
                 *     }
                 */
                "application/json": InvitationRequest;
            };
        };
        responses: {
            /** @description The invitation; a mail is on its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "email": "finance@acme.example",
                     *         "role": "owner",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Invitation;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             *
             *     `PROOF_REQUIRED`: This needs a proof of who you are that is younger than ten minutes: POST /v1/auth/proof
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `EMAIL_ALREADY_REGISTERED`: A user with this email exists already */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its token works no more */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWallets: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                user_ref?: string;
                status?: "pending" | "active" | "frozen" | "closed";
                /** @description Shows each wallet with its `balance_kobo`, `balance_naira` and `available_kobo` */
                include?: "balance";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of wallets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "user_ref": "ada",
                     *           "currency": "NGN",
                     *           "status": "active",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "mfb_reference": "MFB-0198C0DE-1",
                     *           "account_status": "active",
                     *           "metadata": {},
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z",
                     *           "balance_kobo": 150000,
                     *           "balance_naira": "1500.00",
                     *           "available_kobo": 150000
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WalletInList[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_ref": "ada"
                 *     }
                 */
                "application/json": WalletCreation;
            };
        };
        responses: {
            /** @description Accepted: the wallet, pending */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "pending",
                     *         "account_number": "",
                     *         "account_name": "",
                     *         "bank_code": "",
                     *         "bank_name": "",
                     *         "mfb_reference": "",
                     *         "account_status": "provisioning",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `WALLET_ALREADY_EXISTS`: A wallet already exists for this user_ref
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallet and its posted balance */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "wallet": {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "user_ref": "ada",
                     *           "currency": "NGN",
                     *           "status": "active",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "mfb_reference": "MFB-0198C0DE-1",
                     *           "account_status": "active",
                     *           "metadata": {},
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         },
                     *         "balance_kobo": 150000,
                     *         "balance_naira": "1500.00",
                     *         "available_kobo": 150000
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WalletWithBalance;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "email": "ada@example.com"
                 *       }
                 *     }
                 */
                "application/json": WalletChange;
            };
        };
        responses: {
            /** @description The wallet as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "active",
                     *         "account_number": "0123456789",
                     *         "account_name": "ADA OBI",
                     *         "bank_code": "058",
                     *         "bank_name": "Guaranty Trust Bank",
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "account_status": "active",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `INVALID_WALLET_STATE`: The state of the wallet does not allow this
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletBalance: {
        parameters: {
            query?: {
                /** @description The time of the balance, to the millisecond; without it, now */
                at?: string;
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "at": "2026-01-15T09:30:00.000Z",
                     *         "balance_kobo": 150000,
                     *         "balance_naira": "1500.00"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WalletBalance;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletTransactions: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                reference?: string;
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reference": "order-1001",
                     *           "type": "p2p_transfer",
                     *           "status": "completed",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "source_account": null,
                     *           "dest_account": {
                     *             "bank_code": "058",
                     *             "bank_name": "Guaranty Trust Bank",
                     *             "account_number": "0123456789",
                     *             "account_name": "ADA OBI",
                     *             "resolved_name": null,
                     *             "name_matches": true,
                     *             "on_name_mismatch": "continue",
                     *             "name_decision": null,
                     *             "purpose": "salary"
                     *           },
                     *           "split_config": null,
                     *           "fee_breakdown": {
                     *             "customerFee": 750,
                     *             "merchantFee": 0,
                     *             "platformFee": 750,
                     *             "mfbCost": 0,
                     *             "netAmount": 150000
                     *           },
                     *           "mfb_reference": "MFB-0198C0DE-1",
                     *           "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *           "psp_meta": {
                     *             "provider": "paystack",
                     *             "session_id": "dialogue-1",
                     *             "response_code": "00"
                     *           },
                     *           "idempotency_key": "order-1001",
                     *           "description": "Rent for January",
                     *           "metadata": {
                     *             "inbound": {
                     *               "sender_name": "BOLA ADE",
                     *               "sender_bank": "Access Bank",
                     *               "sender_account_number": "0123456781",
                     *               "narration": "Payment for order 1001"
                     *             }
                     *           },
                     *           "failed_reason": null,
                     *           "completed_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "direction": "credit",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "balance_after": 150000,
                     *           "sequence": 1,
                     *           "status": "pending",
                     *           "description": "Rent for January",
                     *           "metadata": {},
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: LedgerEntry[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletStatement: {
        parameters: {
            query?: {
                /** @description At this time or later; of a plain date the beginning, as it is in Lagos */
                from?: string;
                /** @description Before this time; of a plain date its end, so the day is included, and of today until now */
                to?: string;
                /** @description `csv` for spreadsheets: amounts in naira, and a line for each balance; `pdf` for people */
                format?: "json" | "csv" | "pdf";
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. An answer that ends early is cut off, and not a shorter statement */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "from": "2026-01-15T09:30:00.000Z",
                     *         "to": "2026-01-15T09:30:00.000Z",
                     *         "currency": "NGN",
                     *         "opening_balance": 150000,
                     *         "closing_balance": 150000,
                     *         "entry_count": 1,
                     *         "entries": [
                     *           {
                     *             "id": "0198c0de-0000-7000-8000-000000000001",
                     *             "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *             "direction": "credit",
                     *             "amount": 150000,
                     *             "currency": "NGN",
                     *             "balance_after": 150000,
                     *             "sequence": 1,
                     *             "status": "pending",
                     *             "description": "Rent for January",
                     *             "created_at": "2026-01-15T09:30:00.000Z",
                     *             "type": "p2p_transfer",
                     *             "reference": "order-1001",
                     *             "fee": 1,
                     *             "counterparty": {
                     *               "name": "Guaranty Trust Bank",
                     *               "bank_name": "Guaranty Trust Bank",
                     *               "account_number": "0123456789"
                     *             }
                     *           }
                     *         ],
                     *         "total_credit": 150000,
                     *         "total_debit": 150750
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Statement;
                        meta: Meta;
                    };
                    "text/csv": string;
                    "application/pdf": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    freezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WalletFreeze;
            };
        };
        responses: {
            /** @description The wallet as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "frozen",
                     *         "account_number": "0123456789",
                     *         "account_name": "ADA OBI",
                     *         "bank_code": "058",
                     *         "bank_name": "Guaranty Trust Bank",
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "account_status": "active",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_WALLET_STATE`: The state of the wallet does not allow this
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unfreezeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WalletAction;
            };
        };
        responses: {
            /** @description The wallet as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "active",
                     *         "account_number": "0123456789",
                     *         "account_name": "ADA OBI",
                     *         "bank_code": "058",
                     *         "bank_name": "Guaranty Trust Bank",
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "account_status": "active",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_WALLET_STATE`: The state of the wallet does not allow this
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    closeWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WalletAction;
            };
        };
        responses: {
            /** @description The wallet as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "closed",
                     *         "account_number": "0123456789",
                     *         "account_name": "ADA OBI",
                     *         "bank_code": "058",
                     *         "bank_name": "Guaranty Trust Bank",
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "account_status": "active",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_WALLET_STATE`: The state of the wallet does not allow this
             *
             *     `WALLET_NOT_EMPTY`: The wallet has a balance or something open
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopenWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WalletReopening;
            };
        };
        responses: {
            /** @description The wallet, pending */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "user_ref": "ada",
                     *         "currency": "NGN",
                     *         "status": "pending",
                     *         "account_number": "",
                     *         "account_name": "",
                     *         "bank_code": "",
                     *         "bank_name": "",
                     *         "mfb_reference": "",
                     *         "account_status": "provisioning",
                     *         "metadata": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Wallet;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_WALLET_STATE`: The state of the wallet does not allow this
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                reference?: string;
                type?: "wallet_funding" | "wallet_credit" | "wallet_debit" | "p2p_transfer" | "bank_transfer" | "ussd_payment" | "qr_payment" | "split_payment" | "fee_deduction" | "reversal" | "settlement_payout";
                status?: "pending" | "processing" | "completed" | "failed" | "reversed" | "expired";
                wallet_id?: string;
                /** @description At this time or later; of a plain date the beginning, as it is in Lagos */
                from?: string;
                /** @description Before this time; of a plain date its end, so the day is included, and of today until now */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reference": "order-1001",
                     *           "type": "p2p_transfer",
                     *           "status": "completed",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "source_account": null,
                     *           "dest_account": {
                     *             "bank_code": "058",
                     *             "bank_name": "Guaranty Trust Bank",
                     *             "account_number": "0123456789",
                     *             "account_name": "ADA OBI",
                     *             "resolved_name": null,
                     *             "name_matches": true,
                     *             "on_name_mismatch": "continue",
                     *             "name_decision": null,
                     *             "purpose": "salary"
                     *           },
                     *           "split_config": null,
                     *           "fee_breakdown": {
                     *             "customerFee": 750,
                     *             "merchantFee": 0,
                     *             "platformFee": 750,
                     *             "mfbCost": 0,
                     *             "netAmount": 150000
                     *           },
                     *           "mfb_reference": "MFB-0198C0DE-1",
                     *           "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *           "psp_meta": {
                     *             "provider": "paystack",
                     *             "session_id": "dialogue-1",
                     *             "response_code": "00"
                     *           },
                     *           "idempotency_key": "order-1001",
                     *           "description": "Rent for January",
                     *           "metadata": {
                     *             "inbound": {
                     *               "sender_name": "BOLA ADE",
                     *               "sender_bank": "Access Bank",
                     *               "sender_account_number": "0123456781",
                     *               "narration": "Payment for order 1001"
                     *             }
                     *           },
                     *           "failed_reason": null,
                     *           "completed_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "p2p_transfer",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_account": null,
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "resolved_name": null,
                     *           "name_matches": true,
                     *           "on_name_mismatch": "continue",
                     *           "name_decision": null,
                     *           "purpose": "salary"
                     *         },
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *         "psp_meta": {
                     *           "provider": "paystack",
                     *           "session_id": "dialogue-1",
                     *           "response_code": "00"
                     *         },
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTransactionTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What happened */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-01-15T09:30:00.000Z",
                     *           "kind": "request",
                     *           "title": "Transfer between two wallets",
                     *           "what": "reference",
                     *           "actor": "payer",
                     *           "status": "completed",
                     *           "error": null,
                     *           "duration_ms": 12,
                     *           "request_id": "req_0198c0de000070008000000000000001",
                     *           "event_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "endpoint_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "entry_ids": [
                     *             "0198c0de-0000-7000-8000-000000000001"
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: TimelineItem[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideAboutName: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "continue"
                 *     }
                 */
                "application/json": NameDecision;
            };
        };
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "p2p_transfer",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_account": null,
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "resolved_name": null,
                     *           "name_matches": true,
                     *           "on_name_mismatch": "continue",
                     *           "name_decision": null,
                     *           "purpose": "salary"
                     *         },
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *         "psp_meta": {
                     *           "provider": "paystack",
                     *           "session_id": "dialogue-1",
                     *           "response_code": "00"
                     *         },
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `TRANSACTION_NOT_PROCESSING`: The transaction is not processing
             *
             *     `NO_DECISION_NEEDED`: The transfer waits for no decision about the name of its account
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listVolumes: {
        parameters: {
            query?: {
                /** @description At this time or later; of a plain date the beginning, as it is in Lagos */
                from?: string;
                /** @description Before this time; of a plain date its end, so the day is included, and of today until now */
                to?: string;
                /** @description How long each part of the period is; a day begins at midnight in Lagos */
                bucket?: "hour" | "day";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The volumes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "at": "2026-01-15T09:30:00.000Z",
                     *           "type": "p2p_transfer",
                     *           "count": 1,
                     *           "failed": 0,
                     *           "amount_kobo": 150000,
                     *           "fee_kobo": 750
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Volume[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setWalletPin: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pin": "4821"
                 *     }
                 */
                "application/json": WalletPin;
            };
        };
        responses: {
            /** @description The PIN is set */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "pin_set": true
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example 0198c0de-0000-7000-8000-000000000001 */
                            wallet_id: string;
                            /** @constant */
                            pin_set: true;
                        };
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `PIN_LOCKED`: The PIN is locked until a new one is set without the current one
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    p2pTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *       "dest_wallet": "0198c0de-0000-7000-8000-000000000002",
                 *       "amount": 150000,
                 *       "reference": "order-1001"
                 *     }
                 */
                "application/json": P2pTransferRequest;
            };
        };
        responses: {
            /** @description The completed transaction */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "p2p_transfer",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_account": null,
                     *         "dest_account": null,
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": null,
                     *         "psp_meta": null,
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bankTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sandbox: the transfer stays `processing` until it is completed or failed by hand */
                "X-Sandbox-Hold"?: boolean;
                /** @description Sandbox: how the transfer goes, as `success_after:30`. `GET /v1/sandbox/scenarios` lists the scenarios. With X-Sandbox-Hold the transfer waits for its end by hand all the same */
                "X-Sandbox-Scenario"?: string;
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *       "dest_account": {
                 *         "bank_code": "058",
                 *         "account_number": "0123456789",
                 *         "account_name": "ADEYEMI NGOZI"
                 *       },
                 *       "amount": 150000,
                 *       "reference": "order-1002"
                 *     }
                 */
                "application/json": BankTransferRequest;
            };
        };
        responses: {
            /** @description Accepted: processing */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "bank_transfer",
                     *         "status": "processing",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": null,
                     *         "source_account": null,
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "resolved_name": null,
                     *           "name_matches": true,
                     *           "on_name_mismatch": "continue",
                     *           "name_decision": null,
                     *           "purpose": "salary"
                     *         },
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *         "psp_meta": {
                     *           "provider": "paystack",
                     *           "session_id": "dialogue-1",
                     *           "response_code": "00"
                     *         },
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": null,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BANK_CODE`: No bank has this bank_code
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBanks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All banks, by name */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "code": "058",
                     *           "name": "Guaranty Trust Bank",
                     *           "slug": "guaranty-trust-bank",
                     *           "nip_code": "000013"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Bank[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveBankAccount: {
        parameters: {
            query: {
                bank_code: string;
                account_number: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account as its bank has it */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "account_number": "0123456789",
                     *         "account_name": "ADA OBI",
                     *         "bank_code": "058",
                     *         "bank_name": "Guaranty Trust Bank"
                     *       },
                     *       "account_number": "0123456789",
                     *       "account_name": "ADA OBI",
                     *       "bank_code": "058",
                     *       "bank_name": "Guaranty Trust Bank",
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ResolvedAccount;
                        /** @example 0123456789 */
                        account_number: string;
                        /** @example ADA OBI */
                        account_name: string;
                        /** @example 058 */
                        bank_code: string;
                        bank_name: string;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `ACCOUNT_RESOLUTION_FAILED`: The account number cannot be resolved with this bank
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBulkTransfers: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: "running" | "paused" | "completed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bulk transfers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reference": "order-1001",
                     *           "status": "completed",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "lines": {
                     *             "total": 1,
                     *             "accepted": 1,
                     *             "refused": 0
                     *           },
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBulkTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reference": "payroll-2026-11",
                 *       "transfers": [
                 *         {
                 *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *           "dest_wallet": "0198c0de-0000-7000-8000-000000000002",
                 *           "amount": 150000,
                 *           "reference": "order-2001"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": BulkTransferRequest;
                /**
                 * @example {"reference":"payroll-2026-11"}
                 *     {"source_wallet":"0198c0de-0000-7000-8000-000000000001","dest_wallet":"0198c0de-0000-7000-8000-000000000002","amount":150000,"reference":"order-2001"}
                 */
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description Accepted: running */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "lines": {
                     *           "total": 1,
                     *           "accepted": 1,
                     *           "refused": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBulkTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "lines": {
                     *           "total": 1,
                     *           "accepted": 1,
                     *           "refused": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBulkTransferLines: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: "waiting" | "running" | "accepted" | "refused" | "cancelled";
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "place": 1,
                     *           "reference": "order-1001",
                     *           "amount": 150000,
                     *           "status": "waiting",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "transaction_status": "completed",
                     *           "refusal": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransferLine[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseBulkTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "lines": {
                     *           "total": 1,
                     *           "accepted": 1,
                     *           "refused": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BULK_STATE`: The bulk transfer does not allow this any more
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeBulkTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "lines": {
                     *           "total": 1,
                     *           "accepted": 1,
                     *           "refused": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BULK_STATE`: The bulk transfer does not allow this any more
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelBulkTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bulk transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "lines": {
                     *           "total": 1,
                     *           "accepted": 1,
                     *           "refused": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: BulkTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BULK_STATE`: The bulk transfer does not allow this any more
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One rule for each type */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "p2p_transfer",
                     *           "flat_kobo": 0,
                     *           "basis_points": 50,
                     *           "cap_kobo": 20000
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: FeeRule[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createQuote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *       "dest_wallet": "0198c0de-0000-7000-8000-000000000002",
                 *       "amount": 150000
                 *     }
                 */
                "application/json": QuoteRequest;
            };
        };
        responses: {
            /** @description What the payment would cost */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "type": "p2p_transfer",
                     *         "amount": 150000,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "stamp_duty": 0,
                     *         "total_debit": 150750,
                     *         "refusal": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Quote;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BANK_CODE`: No bank has this bank_code
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHolds: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                wallet_id?: string;
                status?: "open" | "captured" | "released" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of holds */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "status": "open",
                     *           "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "reference": "order-1001",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "captured_amount": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Hold[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                 *       "amount": 150000,
                 *       "reference": "hold-1001"
                 *     }
                 */
                "application/json": HoldRequest;
            };
        };
        responses: {
            /** @description The hold */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "status": "open",
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "reference": "order-1001",
                     *         "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "captured_amount": null,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Hold;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hold */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "status": "open",
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "reference": "order-1001",
                     *         "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "captured_amount": null,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Hold;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    captureHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 150000,
                 *       "dest_wallet": "0198c0de-0000-7000-8000-000000000002"
                 *     }
                 */
                "application/json": CaptureRequest;
            };
        };
        responses: {
            /** @description The transaction: completed, or processing where it goes to a bank */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "p2p_transfer",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_account": null,
                     *         "dest_account": null,
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": null,
                     *         "psp_meta": null,
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `NOT_FOUND`: The resource does not exist
             *
             *     `WALLET_NOT_FOUND`: The wallet does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BANK_CODE`: No bank has this bank_code
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `HOLD_NOT_OPEN`: The hold was captured or released already, or has expired
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    releaseHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The released hold */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "status": "open",
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "reference": "order-1001",
                     *         "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "captured_amount": null,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Hold;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `HOLD_NOT_OPEN`: The hold was captured or released already, or has expired
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduledTransfers: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: "active" | "completed" | "cancelled" | "failed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of scheduled transfers */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reference": "order-1001",
                     *           "status": "active",
                     *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "dest_account": {
                     *             "bank_code": "058",
                     *             "account_number": "0123456789"
                     *           },
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "due_at": "2026-01-15T09:30:00.000Z",
                     *           "rule": {
                     *             "every": "day",
                     *             "at": "09:00",
                     *             "weekday": "sunday",
                     *             "day_of_month": 1,
                     *             "starts_on": "2026-01-31",
                     *             "ends_on": "2026-12-31",
                     *             "count": 1
                     *           },
                     *           "on_insufficient_funds": "skip",
                     *           "next_due_at": "2026-01-15T09:30:00.000Z",
                     *           "runs": {
                     *             "paid": 1,
                     *             "skipped": 0,
                     *             "failed": 0
                     *           },
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ScheduledTransfer[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createScheduledTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *       "dest_wallet": "0198c0de-0000-7000-8000-000000000002",
                 *       "amount": 150000,
                 *       "reference": "rent-2026",
                 *       "rule": {
                 *         "every": "month",
                 *         "at": "09:00",
                 *         "day_of_month": 31
                 *       },
                 *       "on_insufficient_funds": "retry"
                 *     }
                 */
                "application/json": ScheduledTransferRequest;
            };
        };
        responses: {
            /** @description Active, with its first due time */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "active",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "account_number": "0123456789"
                     *         },
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "due_at": "2026-01-15T09:30:00.000Z",
                     *         "rule": {
                     *           "every": "day",
                     *           "at": "09:00",
                     *           "weekday": "sunday",
                     *           "day_of_month": 1,
                     *           "starts_on": "2026-01-31",
                     *           "ends_on": "2026-12-31",
                     *           "count": 1
                     *         },
                     *         "on_insufficient_funds": "skip",
                     *         "next_due_at": "2026-01-15T09:30:00.000Z",
                     *         "runs": {
                     *           "paid": 1,
                     *           "skipped": 0,
                     *           "failed": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ScheduledTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_BANK_CODE`: No bank has this bank_code
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getScheduledTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scheduled transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "active",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "account_number": "0123456789"
                     *         },
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "due_at": "2026-01-15T09:30:00.000Z",
                     *         "rule": {
                     *           "every": "day",
                     *           "at": "09:00",
                     *           "weekday": "sunday",
                     *           "day_of_month": 1,
                     *           "starts_on": "2026-01-31",
                     *           "ends_on": "2026-12-31",
                     *           "count": 1
                     *         },
                     *         "on_insufficient_funds": "skip",
                     *         "next_due_at": "2026-01-15T09:30:00.000Z",
                     *         "runs": {
                     *           "paid": 1,
                     *           "skipped": 0,
                     *           "failed": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ScheduledTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduledTransferRuns: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: "running" | "waiting" | "paid" | "skipped" | "failed";
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of due times */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "number": 1,
                     *           "due_at": "2026-01-15T09:30:00.000Z",
                     *           "reference": "rent-2026-1",
                     *           "status": "paid",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reason": "INSUFFICIENT_FUNDS",
                     *           "ended_at": null,
                     *           "transaction_status": "completed"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ScheduledTransferRun[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelScheduledTransfer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled scheduled transfer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "status": "active",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "account_number": "0123456789"
                     *         },
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "due_at": "2026-01-15T09:30:00.000Z",
                     *         "rule": {
                     *           "every": "day",
                     *           "at": "09:00",
                     *           "weekday": "sunday",
                     *           "day_of_month": 1,
                     *           "starts_on": "2026-01-31",
                     *           "ends_on": "2026-12-31",
                     *           "count": 1
                     *         },
                     *         "on_insufficient_funds": "skip",
                     *         "next_due_at": "2026-01-15T09:30:00.000Z",
                     *         "runs": {
                     *           "paid": 1,
                     *           "skipped": 0,
                     *           "failed": 0
                     *         },
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "ended_at": null
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ScheduledTransfer;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_SCHEDULE_STATE`: The scheduled transfer has ended already
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyBvn: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_ref": "ada",
                 *       "bvn": "22222222222"
                 *     }
                 */
                "application/json": BvnSubmission;
            };
        };
        responses: {
            /** @description The verification has begun */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "verification_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "status": "pending"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: KycSubmitted;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    verifyNin: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_ref": "ada",
                 *       "nin": "22222222222"
                 *     }
                 */
                "application/json": NinSubmission;
            };
        };
        responses: {
            /** @description The verification has begun */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "verification_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "status": "pending"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: KycSubmitted;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getKycStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                userRef: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verifications */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "user_ref": "user-42",
                     *         "verifications": [
                     *           {
                     *             "verification_id": "0198c0de-0000-7000-8000-000000000001",
                     *             "type": "bvn",
                     *             "status": "verified",
                     *             "created_at": "2026-01-15T09:30:00.000Z",
                     *             "verified_at": "2026-01-15T09:30:00.000Z",
                     *             "failure_reason": null
                     *           }
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: KycStatus;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createQrPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_id": "0198c0de-0000-7000-8000-000000000002",
                 *       "amount": 150000,
                 *       "reference": "order-1003"
                 *     }
                 */
                "application/json": QrCreateRequest;
            };
        };
        responses: {
            /** @description The request to be paid */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "qr_code": "data:image/png;base64,iVBORw0KGgo...",
                     *         "qr_payload": "00020101021226...6304A1B2",
                     *         "reference": "order-1001",
                     *         "expires_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: QrPaymentRequest;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listQrPayments: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                wallet_id?: string;
                status?: "open" | "paid" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "reference": "order-1001",
                     *           "status": "paid",
                     *           "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "description": "Rent for January",
                     *           "metadata": {},
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: QrRequestInList[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    payQrPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "qr_reference": "order-1003",
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001"
                 *     }
                 */
                "application/json": QrPayRequest;
            };
        };
        responses: {
            /** @description The completed payment */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "reference": "order-1001",
                     *         "type": "p2p_transfer",
                     *         "status": "completed",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "dest_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_account": null,
                     *         "dest_account": {
                     *           "bank_code": "058",
                     *           "bank_name": "Guaranty Trust Bank",
                     *           "account_number": "0123456789",
                     *           "account_name": "ADA OBI",
                     *           "resolved_name": null,
                     *           "name_matches": true,
                     *           "on_name_mismatch": "continue",
                     *           "name_decision": null,
                     *           "purpose": "salary"
                     *         },
                     *         "split_config": null,
                     *         "fee_breakdown": {
                     *           "customerFee": 750,
                     *           "merchantFee": 0,
                     *           "platformFee": 750,
                     *           "mfbCost": 0,
                     *           "netAmount": 150000
                     *         },
                     *         "mfb_reference": "MFB-0198C0DE-1",
                     *         "psp_reference": "TRF_1ptvuv321ahaa7q",
                     *         "psp_meta": {
                     *           "provider": "paystack",
                     *           "session_id": "dialogue-1",
                     *           "response_code": "00"
                     *         },
                     *         "idempotency_key": "order-1001",
                     *         "description": "Rent for January",
                     *         "metadata": {
                     *           "inbound": {
                     *             "sender_name": "BOLA ADE",
                     *             "sender_bank": "Access Bank",
                     *             "sender_account_number": "0123456781",
                     *             "narration": "Payment for order 1001"
                     *           }
                     *         },
                     *         "failed_reason": null,
                     *         "completed_at": "2026-01-15T09:30:00.000Z",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "updated_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `NOT_FOUND`: The resource does not exist
             *
             *     `WALLET_NOT_FOUND`: The wallet does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `QR_ALREADY_PAID`: The QR payment request was paid already
             *
             *     `QR_EXPIRED`: The QR payment request has expired
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQrPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "reference": "order-1001",
                     *         "status": "paid",
                     *         "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "amount": 150000,
                     *         "currency": "NGN",
                     *         "description": "Rent for January",
                     *         "metadata": {},
                     *         "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "qr_code": "data:image/png;base64,iVBORw0KGgo...",
                     *         "qr_payload": "00020101021226...6304A1B2"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: QrRequest;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    splitPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                 *       "reference": "order-1004",
                 *       "splits": [
                 *         {
                 *           "wallet_id": "0198c0de-0000-7000-8000-000000000002",
                 *           "amount": 150000
                 *         },
                 *         {
                 *           "wallet_id": "0198c0de-0000-7000-8000-000000000002",
                 *           "amount": 150000
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": SplitRequest;
            };
        };
        responses: {
            /** @description The completed legs, in the order of the request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "reference": "order-1001",
                     *           "type": "split_payment",
                     *           "status": "completed",
                     *           "amount": 150000,
                     *           "currency": "NGN",
                     *           "source_wallet": "0198c0de-0000-7000-8000-000000000001",
                     *           "dest_wallet": null,
                     *           "source_account": null,
                     *           "dest_account": null,
                     *           "split_config": null,
                     *           "fee_breakdown": {
                     *             "customerFee": 750,
                     *             "merchantFee": 0,
                     *             "platformFee": 750,
                     *             "mfbCost": 0,
                     *             "netAmount": 150000
                     *           },
                     *           "mfb_reference": "MFB-0198C0DE-1",
                     *           "psp_reference": null,
                     *           "psp_meta": null,
                     *           "idempotency_key": "order-1001",
                     *           "description": "Rent for January",
                     *           "metadata": {
                     *             "inbound": {
                     *               "sender_name": "BOLA ADE",
                     *               "sender_bank": "Access Bank",
                     *               "sender_account_number": "0123456781",
                     *               "narration": "Payment for order 1001"
                     *             }
                     *           },
                     *           "failed_reason": null,
                     *           "completed_at": "2026-01-15T09:30:00.000Z",
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "updated_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Transaction[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    initiateUssd: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                 *       "amount": 150000,
                 *       "reference": "order-1005",
                 *       "phone": "+2348012345678"
                 *     }
                 */
                "application/json": UssdInitiation;
            };
        };
        responses: {
            /** @description The code to dial */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "session_id": "ussd_01HW000000E008000000000051",
                     *         "ussd_code": "*384*4827*615203#",
                     *         "dial_code": "*384*4827*615203#",
                     *         "expires_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: UssdStarted;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `WALLET_NOT_FOUND`: The wallet does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress
             *
             *     `DUPLICATE_REFERENCE`: The reference was used for a different transfer
             */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `SAME_WALLET_TRANSFER`: Source and destination are the same wallet
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUssdSessions: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                /** @description The payer or the merchant */
                wallet_id?: string;
                status?: "initiated" | "menu_main" | "pin_entry" | "processing" | "completed" | "failed" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "session_id": "ussd_01HW000000E008000000000051",
                     *           "status": "completed",
                     *           "ussd_code": "*384*4827*615203#",
                     *           "dial_code": "*384*4827*615203#",
                     *           "amount": 150000,
                     *           "amount_kobo": 150000,
                     *           "amount_naira": "1500.00",
                     *           "currency": "NGN",
                     *           "reference": "order-1001",
                     *           "payer_wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "merchant_wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "merchant_name": "ADA STORES",
                     *           "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "pin_attempts_remaining": 1,
                     *           "failure_reason": null,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "expires_at": "2026-01-15T09:30:00.000Z",
                     *           "completed_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: UssdSession[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUssdSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "session_id": "ussd_01HW000000E008000000000051",
                     *         "status": "completed",
                     *         "ussd_code": "*384*4827*615203#",
                     *         "dial_code": "*384*4827*615203#",
                     *         "amount": 150000,
                     *         "amount_kobo": 150000,
                     *         "amount_naira": "1500.00",
                     *         "currency": "NGN",
                     *         "reference": "order-1001",
                     *         "payer_wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "merchant_wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "merchant_name": "ADA STORES",
                     *         "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "pin_attempts_remaining": 1,
                     *         "failure_reason": null,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "expires_at": "2026-01-15T09:30:00.000Z",
                     *         "completed_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: UssdSession;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    simulateUssd: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session_id": "ussd_01HW000000E008000000000051",
                 *       "action": "confirm"
                 *     }
                 */
                "application/json": UssdSimulation;
            };
        };
        responses: {
            /** @description The payment was completed or cancelled */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_id": "ussd_01HW000000E008000000000051",
                     *       "action": "confirm",
                     *       "result": "paid",
                     *       "transaction_id": "0198c0de-0000-7000-8000-000000000001"
                     *     }
                     */
                    "application/json": {
                        /** @example ussd_01HW000000E008000000000051 */
                        session_id: string;
                        /** @enum {string} */
                        action: "confirm" | "cancel";
                        result: string;
                        /** @example 0198c0de-0000-7000-8000-000000000001 */
                        transaction_id: string;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `WALLET_FROZEN`: The source wallet is frozen
             *
             *     `WALLET_NOT_ACTIVE`: The source wallet is not active yet
             *
             *     `USSD_SESSION_EXPIRED`: The USSD session has expired
             *
             *     `USSD_SESSION_NOT_ACTIVE`: The USSD session does not allow this any more
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             *
             *     `INSUFFICIENT_FUNDS`: The balance is below the amount plus fees
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    dialUssd: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "phone": "+2348012345678",
                 *       "gateway_session": "dialogue-1",
                 *       "service_code": "*384*4827*615203#"
                 *     }
                 */
                "application/json": UssdDial;
            };
        };
        responses: {
            /** @description A screen */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reply": "CON Enter your PIN",
                     *       "open": true,
                     *       "form": "reference"
                     *     }
                     */
                    "application/json": UssdScreen;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All endpoints, without their secrets */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "url": "https://partner.example/webhooks",
                     *           "events": [
                     *             "transaction.completed"
                     *           ],
                     *           "is_active": true,
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "failure_count": 0,
                     *           "last_success_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WebhookEndpoint[];
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://partner.example/webhooks",
                 *       "events": [
                 *         "transaction.completed"
                 *       ]
                 *     }
                 */
                "application/json": WebhookRegistration;
            };
        };
        responses: {
            /** @description The endpoint with its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "url": "https://partner.example/webhooks",
                     *         "events": [
                     *           "transaction.completed"
                     *         ],
                     *         "is_active": true,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "failure_count": 0,
                     *         "last_success_at": "2026-01-15T09:30:00.000Z",
                     *         "secret": "sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: RegisteredWebhookEndpoint;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, without its secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "url": "https://partner.example/webhooks",
                     *         "events": [
                     *           "transaction.completed"
                     *         ],
                     *         "is_active": true,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "failure_count": 0,
                     *         "last_success_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WebhookEndpoint;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": WebhookChange;
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "url": "https://partner.example/webhooks",
                     *         "events": [
                     *           "transaction.completed"
                     *         ],
                     *         "is_active": true,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "failure_count": 0,
                     *         "last_success_at": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WebhookEndpoint;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WebhookTest;
            };
        };
        responses: {
            /** @description On its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "webhook_id": "wh_0198c0de000070008000000000000001"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            webhook_id: string;
                        };
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": WebhookSecretRotation;
            };
        };
        responses: {
            /** @description The endpoint with its new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "partner_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "url": "https://partner.example/webhooks",
                     *         "events": [
                     *           "transaction.completed"
                     *         ],
                     *         "is_active": true,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "failure_count": 0,
                     *         "last_success_at": "2026-01-15T09:30:00.000Z",
                     *         "secret": "sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *         "previous_secret_valid_until": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: RotatedWebhookEndpoint;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                event?: "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "webhook.test";
                /** @description The id of the transaction, wallet or verification */
                resource_id?: string;
                /** @description Only events that have not arrived at every endpoint */
                undelivered?: "true";
                /** @description Asks for what came later, oldest first: the id of an event, a time, `now`, or the `meta.next_after` of the last answer */
                after?: string;
                /** @description With `after`: for so many seconds the answer waits for an event when there is none */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0198c0de-0000-7000-8000-000000000001",
                     *           "webhook_id": "wh_0198c0de000070008000000000000001",
                     *           "event": "transaction.completed",
                     *           "resource_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "data": {},
                     *           "created_at": "2026-01-15T09:30:00.000Z",
                     *           "deliveries": {
                     *             "pending": 1,
                     *             "delivered": 1,
                     *             "failed": 0
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Event[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description The kinds, with commas between them; all when absent */
                events?: string;
                /** @description An id as `Last-Event-ID`; or a time, at most a day ago: what came from then on comes first */
                since?: string;
            };
            header?: {
                /** @description The last id of an earlier stream: this one goes on behind it. It goes before `since` */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0198c0de-0000-7000-8000-000000000001",
                     *         "webhook_id": "wh_0198c0de000070008000000000000001",
                     *         "event": "transaction.completed",
                     *         "resource_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "data": {},
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "deliveries": {
                     *           "pending": 1,
                     *           "delivered": 1,
                     *           "failed": 0
                     *         }
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Event;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": EventRedelivery;
            };
        };
        responses: {
            /** @description On its way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": 1
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: EventRedelivered;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: "pending" | "delivered" | "failed" | "parked";
                event?: "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed" | "webhook.test";
            };
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "webhook_id": "wh_0198c0de000070008000000000000001",
                     *           "event_id": "0198c0de-0000-7000-8000-000000000001",
                     *           "event": "transaction.completed",
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "next_attempt_at": "2026-01-15T09:30:00.000Z",
                     *           "delivered_at": "2026-01-15T09:30:00.000Z",
                     *           "last_status": 200,
                     *           "last_error": null,
                     *           "last_duration_ms": 120,
                     *           "created_at": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: Delivery[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "webhook_id": "wh_0198c0de000070008000000000000001",
                     *         "event_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "event": "transaction.completed",
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "next_attempt_at": "2026-01-15T09:30:00.000Z",
                     *         "delivered_at": "2026-01-15T09:30:00.000Z",
                     *         "last_status": 200,
                     *         "last_error": null,
                     *         "last_duration_ms": 120,
                     *         "created_at": "2026-01-15T09:30:00.000Z",
                     *         "headers": {},
                     *         "body": "{\"event\":\"transaction.completed\"}",
                     *         "tries": [
                     *           {
                     *             "number": 1,
                     *             "at": "2026-01-15T09:30:00.000Z",
                     *             "status": 1,
                     *             "error": null,
                     *             "duration_ms": 12
                     *           }
                     *         ]
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: DeliveryDetail;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-23T09:00:00Z"
                 *     }
                 */
                "application/json": WebhookRecovery;
            };
        };
        responses: {
            /** @description On their way */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "deliveries": 1,
                     *         "has_more": false
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: WebhookRecovered;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description `meta.next_cursor` of the page before; it belongs to its list and filter */
                cursor?: string;
                /** @description How many at most */
                limit?: number;
                status?: string;
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Its `operationId` */
                operation?: string;
                code?: string;
                /** @description The id that was in the path, or of what the request has made */
                resource_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "request_id": "req_0198c0de00007000800000000000000a",
                     *           "at": "2026-01-15T09:30:00.000Z",
                     *           "method": "POST",
                     *           "operation": "p2pTransfer",
                     *           "status": 1,
                     *           "code": "INSUFFICIENT_FUNDS",
                     *           "duration_ms": 12,
                     *           "key_prefix": "sk_test_4fzQ",
                     *           "idempotency_key": "order-1001",
                     *           "replayed": false,
                     *           "fault": null,
                     *           "resource_id": "0198c0de-0000-7000-8000-000000000001"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001",
                     *         "next_cursor": null,
                     *         "has_more": false,
                     *         "next_after": "evt_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: LoggedRequest[];
                        meta: PageMeta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    streamRequests: {
        parameters: {
            query?: {
                status?: string;
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description Its `operationId` */
                operation?: string;
                code?: string;
                /** @description The id that was in the path, or of what the request has made */
                resource_id?: string;
                /** @description An id as `Last-Event-ID`; or a time, at most a day ago: what came from then on comes first */
                since?: string;
            };
            header?: {
                /** @description The last id of an earlier stream: this one goes on behind it. It goes before `since` */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "request_id": "req_0198c0de00007000800000000000000a",
                     *         "at": "2026-01-15T09:30:00.000Z",
                     *         "method": "POST",
                     *         "operation": "p2pTransfer",
                     *         "status": 1,
                     *         "code": "INSUFFICIENT_FUNDS",
                     *         "duration_ms": 12,
                     *         "key_prefix": "sk_test_4fzQ",
                     *         "idempotency_key": "order-1001",
                     *         "replayed": false,
                     *         "fault": null,
                     *         "resource_id": "0198c0de-0000-7000-8000-000000000001",
                     *         "request_body": "{\"event\":\"transaction.completed\"}",
                     *         "response_body": "ok",
                     *         "truncated": true
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: LoggedRequestWithBodies;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getComplianceStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "overall_status": "incomplete",
                     *         "cac_number": "RC1234567",
                     *         "business_type": "",
                     *         "terms_version": "2026-01",
                     *         "rejection_reason": null,
                     *         "steps": {
                     *           "business_info": true,
                     *           "directors": true,
                     *           "agreements": true,
                     *           "use_case": true
                     *         },
                     *         "directors_submitted_at": "2026-01-15T09:30:00.000Z",
                     *         "terms_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "aml_policy_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "dpa_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "use_case_description": "Wallets for the riders of a delivery company"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ComplianceStatus;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /** @description `FORBIDDEN`: This credential may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitBusinessInfo: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "cac_number": "RC1234567",
                 *       "business_type": "llc"
                 *     }
                 */
                "application/json": {
                    /** @example RC1234567 */
                    cac_number: string;
                    /** @enum {string} */
                    business_type: "llc" | "sole_prop" | "ngo" | "partnership";
                };
            };
        };
        responses: {
            /** @description The step is stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `COMPLIANCE_LOCKED`: The compliance record cannot be edited now
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitDirectors: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "directors": [
                 *         {
                 *           "full_name": "Ngozi Adeyemi",
                 *           "role": "Director"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    directors: {
                        /** @example Ngozi Adeyemi */
                        full_name: string;
                        /** @example Director */
                        role: string;
                        bvn?: string;
                        nin?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description The step is stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `COMPLIANCE_LOCKED`: The compliance record cannot be edited now
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptAgreements: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "terms": true,
                 *       "aml_policy": true,
                 *       "dpa": true
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    terms: true;
                    /** @constant */
                    aml_policy: true;
                    /** @constant */
                    dpa: true;
                };
            };
        };
        responses: {
            /** @description The step is stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `COMPLIANCE_LOCKED`: The compliance record cannot be edited now
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    submitUseCase: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Wallets for the riders of a delivery company"
                 *     }
                 */
                "application/json": {
                    /** @example Wallets for the riders of a delivery company */
                    description: string;
                };
            };
        };
        responses: {
            /** @description The step is stored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `PARTNER_NOT_ACTIVE`: The partner is not active in live yet
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `COMPLIANCE_LOCKED`: The compliance record cannot be edited now
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewCompliance: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "decision": "claim"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    decision: "claim" | "approve" | "reject" | "suspend" | "reinstate";
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The record after the decision */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "overall_status": "incomplete",
                     *         "cac_number": "RC1234567",
                     *         "business_type": "",
                     *         "terms_version": "2026-01",
                     *         "rejection_reason": null,
                     *         "steps": {
                     *           "business_info": true,
                     *           "directors": true,
                     *           "agreements": true,
                     *           "use_case": true
                     *         },
                     *         "directors_submitted_at": "2026-01-15T09:30:00.000Z",
                     *         "terms_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "aml_policy_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "dpa_accepted_at": "2026-01-15T09:30:00.000Z",
                     *         "use_case_description": "Wallets for the riders of a delivery company"
                     *       },
                     *       "meta": {
                     *         "request_id": "req_0198c0de000070008000000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: ComplianceStatus;
                        meta: Meta;
                    };
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `INVALID_COMPLIANCE_STATE`: The compliance record does not allow this decision
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    fundWallet: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
                /** @description For 24 hours a repeat with the same key and body gets the first answer, byte for byte, and changes nothing. 1 to 255 printable ASCII characters. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                wallet_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount_kobo": 150000
                 *     }
                 */
                "application/json": Funding;
            };
        };
        responses: {
            /** @description Credited */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet_id": "0198c0de-0000-7000-8000-000000000001",
                     *       "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *       "amount_kobo": 150000,
                     *       "balance_kobo": 150000,
                     *       "balance_naira": "1500.00",
                     *       "status": "completed",
                     *       "result": "wallet funded",
                     *       "note": "Documents are complete"
                     *     }
                     */
                    "application/json": FundingResult;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `REQUEST_IN_PROGRESS`: A request with this Idempotency-Key is still in progress */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key was used with another body
             *
             *     `VALIDATION_ERROR`: The request is not valid
             *
             *     `AMOUNT_TOO_LOW`: The amount is less than 1 kobo
             *
             *     `WALLET_CLOSED`: The wallet is closed
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeBankTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction_id": "0198c0de-0000-7000-8000-000000000001"
                 *     }
                 */
                "application/json": TransferCompletion;
            };
        };
        responses: {
            /** @description What the transfer has become */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *       "status": "completed",
                     *       "result": "paid"
                     *     }
                     */
                    "application/json": TransferOutcome;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `TRANSACTION_NOT_PROCESSING`: The transaction is not processing
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    failBankTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction_id": "0198c0de-0000-7000-8000-000000000001"
                 *     }
                 */
                "application/json": TransferFailure;
            };
        };
        responses: {
            /** @description What the transfer has become */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction_id": "0198c0de-0000-7000-8000-000000000001",
                     *       "status": "completed",
                     *       "result": "paid"
                     *     }
                     */
                    "application/json": TransferOutcome;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `TRANSACTION_NOT_PROCESSING`: The transaction is not processing
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox is empty */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "ok",
                     *       "reset_at": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": ResetResult;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandboxStorage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Used and allowed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "used_bytes": 1,
                     *       "allowed_bytes": 1
                     *     }
                     */
                    "application/json": SandboxStorage;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSandboxScenarios: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All scenarios */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "scenarios": [
                     *         {
                     *           "scenario": "success_after:<seconds>",
                     *           "account_ending": "0909",
                     *           "account_ending_means": "unknown_then_success:5",
                     *           "description": "Rent for January"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": SandboxScenarios;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setWebhookFault: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path: {
                /** @description A malformed, unknown or foreign id is a 404; `detail.reason` tells the first from the others. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "none"
                 *     }
                 */
                "application/json": WebhookFault;
            };
        };
        responses: {
            /** @description The fault is in force */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": "0198c0de-0000-7000-8000-000000000001",
                     *       "mode": "none",
                     *       "until": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": WebhookFaultResult;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `NOT_FOUND`: The resource does not exist */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    forwardClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "seconds": 180
                 *     }
                 */
                "application/json": ClockForward;
            };
        };
        responses: {
            /** @description How much was moved */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": "ok",
                     *       "seconds": 1,
                     *       "moved": {
                     *         "ussd_sessions": 1,
                     *         "qr_requests": 1,
                     *         "holds": 1,
                     *         "transfers": 1,
                     *         "scheduled_transfers": 1,
                     *         "verifications": 1,
                     *         "deliveries": 1,
                     *         "freezes": 1,
                     *         "idempotency_keys": 1
                     *       }
                     *     }
                     */
                    "application/json": ClockForwarded;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /**
             * @description `VALIDATION_ERROR`: The request is not valid
             *
             *     `LIMIT_EXCEEDED`: A limit would be exceeded
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandboxLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table, and the switch */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enforced": true,
                     *       "tiers": [
                     *         {
                     *           "tier": "unverified",
                     *           "who": "owner@acme.example",
                     *           "user_ref": "user-42",
                     *           "limits": [
                     *             {
                     *               "limit": "nip_transfer",
                     *               "what": "reference",
                     *               "allowed_kobo": 150000
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": SandboxLimits;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSandboxLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enforced": true
                 *     }
                 */
                "application/json": SandboxLimitsSwitch;
            };
        };
        responses: {
            /** @description The table, and the switch */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "enforced": true,
                     *       "tiers": [
                     *         {
                     *           "tier": "unverified",
                     *           "who": "owner@acme.example",
                     *           "user_ref": "user-42",
                     *           "limits": [
                     *             {
                     *               "limit": "nip_transfer",
                     *               "what": "reference",
                     *               "allowed_kobo": 150000
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": SandboxLimits;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSandboxRequirements: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The demands, and the switch */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_live": true,
                     *       "wallet": [
                     *         "metadata.first_name",
                     *         "metadata.last_name"
                     *       ],
                     *       "kyc": [
                     *         "metadata.first_name",
                     *         "metadata.last_name"
                     *       ]
                     *     }
                     */
                    "application/json": SandboxRequirements;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSandboxRequirements: {
        parameters: {
            query?: never;
            header?: {
                /** @description `true` refuses a body with fields that the operation does not read, as a 422 `VALIDATION_ERROR` that names each with the name that was probably meant. Without it they have no effect, and a call that moves money names them in `meta.ignored_fields`. */
                "X-Strict"?: components["parameters"]["Strict"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "as_live": true
                 *     }
                 */
                "application/json": SandboxRequirementsSwitch;
            };
        };
        responses: {
            /** @description The demands, and the switch */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "as_live": true,
                     *       "wallet": [
                     *         "metadata.first_name",
                     *         "metadata.last_name"
                     *       ],
                     *       "kyc": [
                     *         "metadata.first_name",
                     *         "metadata.last_name"
                     *       ]
                     *     }
                     */
                    "application/json": SandboxRequirements;
                };
            };
            401: components["responses"]["InvalidToken"];
            /**
             * @description `SANDBOX_ONLY`: This operation exists in the sandbox only
             *
             *     `FORBIDDEN`: This credential may not do this
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            /** @description `VALIDATION_ERROR`: The request is not valid */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Error;
                };
            };
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    "on.transaction.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example transaction.completed
                     */
                    event: string;
                    data: MoneyMoved | BankTransferCompleted | UssdPaymentCompleted;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.transaction.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example transaction.failed
                     */
                    event: string;
                    data: BankTransferFailed | BankTransferReturned | UssdPaymentFailed;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.transaction.reversed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example transaction.reversed
                     */
                    event: string;
                    data: BankTransferReturned;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.transaction.expired": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example transaction.expired
                     */
                    event: string;
                    data: UssdPaymentExpired;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.transaction.name_mismatch": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example transaction.name_mismatch
                     */
                    event: string;
                    data: BankTransferNameMismatch;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.wallet.activated": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example wallet.activated
                     */
                    event: string;
                    data: WalletActivated;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.wallet.parked": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example wallet.parked
                     */
                    event: string;
                    data: WalletParked;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.bulk_transfer.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example bulk_transfer.completed
                     */
                    event: string;
                    data: BulkTransfer;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.scheduled_transfer.paid": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example scheduled_transfer.paid
                     */
                    event: string;
                    data: ScheduledTransferRunEnded;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.scheduled_transfer.skipped": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example scheduled_transfer.skipped
                     */
                    event: string;
                    data: ScheduledTransferRunEnded;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.scheduled_transfer.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example scheduled_transfer.failed
                     */
                    event: string;
                    data: ScheduledTransferRunEnded;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.scheduled_transfer.ended": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example scheduled_transfer.ended
                     */
                    event: string;
                    data: ScheduledTransfer;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.kyc.verified": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example kyc.verified
                     */
                    event: string;
                    data: KycVerified;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.kyc.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example kyc.failed
                     */
                    event: string;
                    data: KycFailed;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.webhook.test": {
        parameters: {
            query?: never;
            header: {
                /** @description The `webhook_id` of the body: the same on every attempt */
                "webhook-id": string;
                /** @description Unix seconds of this attempt: refuse what is older than five minutes */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`; the key is the base64 after `sk_wh_` */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The kind, by the name that was subscribed to
                     * @example webhook.test
                     */
                    event: string;
                    data: WebhookTestDelivery;
                    /**
                     * Format: date-time
                     * @example 2026-01-15T09:30:00.000Z
                     */
                    timestamp: string;
                    /** @description The same on every attempt */
                    webhook_id: string;
                };
            };
        };
        responses: {
            /** @description The endpoint is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. With every other status the attempt has failed and is repeated. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
export interface Registration {
            /** @example Acme Fintech */
            business_name: string;
            /**
             * Format: email
             * @example owner@acme.example
             */
            email: string;
            /** @example +2348012345678 */
            phone: string;
            /** @example seven green kettles */
            password: string;
        }
export interface Credentials {
            /** @example owner@acme.example */
            email: string;
            /** @example seven green kettles */
            password: string;
            /** @enum {string} */
            environment?: "sandbox" | "live";
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code?: string;
        }
export interface EmailConfirmation {
            /** @example the token of the mail */
            token: string;
            /**
             * @description Of the user; with it what was made before the confirmation stays
             * @example seven green kettles
             */
            password?: string;
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code?: string;
        }
export interface EmailTakeBack {
            /** @example the token of the mail */
            token: string;
            /** @example seven green kettles */
            new_password: string;
        }
export interface ForgottenPassword {
            /** @example owner@acme.example */
            email: string;
        }
export interface PasswordReset {
            /** @example the token of the mail */
            token: string;
            /** @example seven green kettles */
            new_password: string;
        }
export interface InvitationAcceptance {
            /** @example the token of the mail */
            token: string;
            /** @example seven green kettles */
            password: string;
        }
export interface APIKeyCreation {
            label?: string;
            /** @description What the key may do; everything, unless given */
            scopes?: ("read" | "payments" | "webhooks" | "admin")[];
            /** @description The networks from which it may be used; from everywhere, unless given */
            allowed_cidrs?: string[];
            /** @enum {string} */
            environment?: "sandbox" | "live";
            /** Format: date-time */
            expires_at?: string;
        }
export interface APIKeyRotation {
            /**
             * @description How long the old key goes on; a day, unless given
             * @example 86400
             */
            overlap_seconds?: number;
        }
export interface Proof {
            /** @example seven green kettles */
            password: string;
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code?: string;
        }
export interface PasswordChange {
            /** @example seven green kettles */
            password: string;
            /** @example seven green kettles */
            new_password: string;
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code?: string;
        }
export interface FirstCode {
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code: string;
        }
export interface EmailChange {
            /** @example seven green kettles */
            password: string;
            /**
             * Format: email
             * @example new-owner@acme.example
             */
            new_email: string;
            /**
             * @description A one-time code of six digits, or a recovery code
             * @example 492039
             */
            code?: string;
        }
export interface RoleChange {
            /** @enum {string} */
            role: "owner" | "developer" | "finance" | "viewer";
        }
export interface InvitationRequest {
            /**
             * Format: email
             * @example finance@acme.example
             */
            email: string;
            /** @enum {string} */
            role: "owner" | "developer" | "finance" | "viewer";
        }
export interface WalletCreation {
            /**
             * @description The partner's own name of the owner
             * @example ada
             */
            user_ref: string;
            /** @constant */
            currency?: "NGN";
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface WalletChange {
            /**
             * @description What becomes another (JSON Merge Patch, RFC 7396): null takes a key away, an object is merged key by key, and keys that are left out stay. The whole has at most 16,384 bytes and 20 levels afterwards
             * @example {
             *       "email": "ada@example.com"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
        }
export interface WalletFreeze {
            reason?: string;
            /**
             * Format: date-time
             * @description When the freeze ends by itself; in the future
             * @example 2030-01-15T09:30:00Z
             */
            expires_at?: string;
        }
export interface WalletAction {
            reason?: string;
        }
export interface WalletReopening {
            /**
             * @description Merged into what is there, as by a change of the wallet
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface NameDecision {
            /**
             * @description `continue` pays the account all the same; `fail` gives the money back
             * @enum {string}
             */
            decision: "continue" | "fail";
        }
export interface WalletPin {
            /** @example 4821 */
            pin: string;
            /** @example 4821 */
            current_pin?: string;
        }
export interface P2pTransferRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            dest_wallet: string;
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-1001
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface BankTransferRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            dest_account: {
                /** @example 058 */
                bank_code: string;
                /** @example 0123456789 */
                account_number: string;
                /** @example ADEYEMI NGOZI */
                account_name: string;
            };
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description What a bank transfer is for; `other` when absent. A bank gets it where the payment company carries it
             * @enum {string}
             */
            purpose?: "salary" | "supplier" | "goods" | "services" | "rent" | "loan" | "tax" | "other";
            /**
             * @description Of a bank transfer, where the bank has another name for the account: `continue`, the usual one, pays; `hold` sends nothing until you decide (`transaction.name_mismatch`); `fail` gives the money back
             * @enum {string}
             */
            on_name_mismatch?: "continue" | "hold" | "fail";
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-1002
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface BulkTransferRequest {
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example payroll-2026-11
             */
            reference: string;
            transfers: BulkTransferLineRequest[];
        }
export interface BulkTransferLineRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            /**
             * @description Of a transfer between wallets
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            dest_wallet?: string;
            /** @description Of a transfer to a bank account */
            dest_account?: {
                /** @example 058 */
                bank_code: string;
                /** @example 0123456789 */
                account_number: string;
                /** @example ADEYEMI NGOZI */
                account_name: string;
            };
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description What a bank transfer is for; `other` when absent. A bank gets it where the payment company carries it
             * @enum {string}
             */
            purpose?: "salary" | "supplier" | "goods" | "services" | "rent" | "loan" | "tax" | "other";
            /**
             * @description Of a bank transfer, where the bank has another name for the account: `continue`, the usual one, pays; `hold` sends nothing until you decide (`transaction.name_mismatch`); `fail` gives the money back
             * @enum {string}
             */
            on_name_mismatch?: "continue" | "hold" | "fail";
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-2001
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface QuoteRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            /**
             * @description Of a transfer between wallets
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            dest_wallet?: string;
            /** @description Of a transfer to a bank account */
            dest_account?: {
                /** @example 058 */
                bank_code: string;
                /** @example 0123456789 */
                account_number: string;
            };
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
        }
export interface HoldRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            wallet_id: string;
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example hold-1001
             */
            reference: string;
            expires_in_seconds?: number;
        }
export interface CaptureRequest {
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description Of a transfer between wallets
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            dest_wallet?: string;
            /** @description Of a transfer to a bank account */
            dest_account?: {
                /** @example 058 */
                bank_code: string;
                /** @example 0123456789 */
                account_number: string;
                /** @example ADEYEMI NGOZI */
                account_name: string;
            };
            /**
             * @description What a bank transfer is for; `other` when absent. A bank gets it where the payment company carries it
             * @enum {string}
             */
            purpose?: "salary" | "supplier" | "goods" | "services" | "rent" | "loan" | "tax" | "other";
            /**
             * @description Of a bank transfer, where the bank has another name for the account: `continue`, the usual one, pays; `hold` sends nothing until you decide (`transaction.name_mismatch`); `fail` gives the money back
             * @enum {string}
             */
            on_name_mismatch?: "continue" | "hold" | "fail";
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
        }
export interface ScheduledTransferRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            /**
             * @description Of transfers between wallets
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            dest_wallet?: string;
            /** @description Of transfers to a bank account */
            dest_account?: {
                /** @example 058 */
                bank_code: string;
                /** @example 0123456789 */
                account_number: string;
                /** @example ADEYEMI NGOZI */
                account_name: string;
            };
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description What a bank transfer is for; `other` when absent. A bank gets it where the payment company carries it
             * @enum {string}
             */
            purpose?: "salary" | "supplier" | "goods" | "services" | "rent" | "loan" | "tax" | "other";
            /**
             * @description Of a bank transfer, where the bank has another name for the account: `continue`, the usual one, pays; `hold` sends nothing until you decide (`transaction.name_mismatch`); `fail` gives the money back
             * @enum {string}
             */
            on_name_mismatch?: "continue" | "hold" | "fail";
            /**
             * @description The partner's own name for it. Its transfers have this reference with `-1`, `-2` and so on, by their due times
             * @example rent-2026
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Of a transfer that is made once
             */
            due_at?: string;
            /** @description Of transfers that are made again and again */
            rule?: CalendarRule;
            /**
             * @description `skip` gives a due time up where the balance is too low; `retry` tries every half hour, until 24 hours after it, also where a daily limit is used up
             * @enum {string}
             */
            on_insufficient_funds?: "skip" | "retry";
        }
export interface CalendarRule {
            /** @enum {string} */
            every: "day" | "week" | "month";
            /**
             * @description The time of the day in Lagos
             * @example 09:00
             */
            at: string;
            /**
             * @description Of every week
             * @enum {string}
             */
            weekday?: "sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday";
            /** @description Of every month; in a month without this day its last one */
            day_of_month?: number;
            /**
             * Format: date
             * @description The first day that counts
             */
            starts_on?: string;
            /**
             * Format: date
             * @description The last day that counts
             */
            ends_on?: string;
            /** @description How many due times there are */
            count?: number;
        }
export interface BvnSubmission {
            /**
             * @description The partner's own name of the owner
             * @example ada
             */
            user_ref: string;
            /** @example 22222222222 */
            bvn: string;
            /** @description The customer’s consent. Without it the partner’s agreement is recorded as the basis */
            consent?: {
                /**
                 * Format: date-time
                 * @description When the customer agreed
                 * @example 2026-11-22T10:15:00Z
                 */
                given_at: string;
                /**
                 * @description The version of the text that the customer agreed to
                 * @example privacy-2026-03
                 */
                text_version: string;
                /**
                 * @description Where the customer agreed
                 * @example mobile_app
                 */
                channel: string;
            };
        }
export interface NinSubmission {
            /**
             * @description The partner's own name of the owner
             * @example ada
             */
            user_ref: string;
            /** @example 22222222222 */
            nin: string;
            /** @description The customer’s consent. Without it the partner’s agreement is recorded as the basis */
            consent?: {
                /**
                 * Format: date-time
                 * @description When the customer agreed
                 * @example 2026-11-22T10:15:00Z
                 */
                given_at: string;
                /**
                 * @description The version of the text that the customer agreed to
                 * @example privacy-2026-03
                 */
                text_version: string;
                /**
                 * @description Where the customer agreed
                 * @example mobile_app
                 */
                channel: string;
            };
        }
export interface QrCreateRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000002
             */
            wallet_id: string;
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-1003
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            expires_in_seconds?: number;
        }
export interface QrPayRequest {
            /** @example order-1003 */
            qr_reference: string;
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
        }
export interface SplitRequest {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            source_wallet: string;
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-1004
             */
            reference: string;
            description?: string;
            /**
             * @description A free-form object, given back as it was sent; at most 16,384 bytes and 20 levels
             * @example {
             *       "order": "A-1001"
             *     }
             */
            metadata?: {
                [key: string]: unknown;
            };
            splits: {
                /**
                 * @description The id of a wallet; upper case and the prefix of the guides are accepted
                 * @example 0198c0de-0000-7000-8000-000000000002
                 */
                wallet_id: string;
                /**
                 * @description In kobo
                 * @example 150000
                 */
                amount: number;
                percentage?: number;
            }[];
        }
export interface UssdInitiation {
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            wallet_id: string;
            /**
             * @description The id of a wallet; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            merchant_wallet_id?: string;
            /**
             * @description In kobo
             * @example 150000
             */
            amount: number;
            merchant_name?: string;
            /**
             * @description The partner's own name for this transfer. It finds the transfer again, and is used for one transfer only
             * @example order-1005
             */
            reference: string;
            /** @example +2348012345678 */
            phone: string;
        }
export interface UssdSimulation {
            /** @example ussd_01HW000000E008000000000051 */
            session_id: string;
            /** @enum {string} */
            action: "confirm" | "cancel";
        }
export interface UssdDial {
            /** @example +2348012345678 */
            phone: string;
            /**
             * @description The same for all messages of one dialogue
             * @example dialogue-1
             */
            gateway_session: string;
            /**
             * @description What was dialled
             * @example *384*4827*615203#
             */
            service_code: string;
            /** @description Everything typed so far, joined by `*`: nothing at first, then `1`, then `1*` and the PIN */
            text?: string;
        }
export interface WebhookRegistration {
            /** @example https://partner.example/webhooks */
            url: string;
            /**
             * @example [
             *       "transaction.completed"
             *     ]
             */
            events: ("transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed")[];
        }
export interface WebhookChange {
            /** @example https://partner.example/webhooks */
            url?: string;
            /**
             * @example [
             *       "transaction.completed"
             *     ]
             */
            events?: ("transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed")[];
            /** @description `true` switches an endpoint on again; what it did not get is sent by `recover` */
            is_active?: boolean;
        }
export interface WebhookTest {
            /** @enum {string} */
            event?: "webhook.test" | "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed";
        }
export interface WebhookSecretRotation {
            /** @description How long deliveries are also signed with the secret before; a day when absent */
            previous_secret_valid_seconds?: number;
        }
export interface EventRedelivery {
            /** @description Only to this endpoint, subscribed or not */
            endpoint_id?: string;
        }
export interface WebhookRecovery {
            /**
             * Format: date-time
             * @description Of the events: what was written before it stays as it is
             * @example 2026-11-23T09:00:00Z
             */
            since: string;
            /** Format: date-time */
            until?: string;
        }
export interface Funding {
            /**
             * @description In kobo
             * @example 150000
             */
            amount_kobo: number;
            note?: string;
        }
export interface TransferCompletion {
            /**
             * @description The id of a transaction; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            transaction_id: string;
        }
export interface TransferFailure {
            /**
             * @description The id of a transaction; upper case and the prefix of the guides are accepted
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            transaction_id: string;
            reason?: string;
        }
export interface WebhookFault {
            /**
             * @description `drop`: Nothing arrives; each delivery is tried again later. `twice`: Each delivery arrives twice. `delay`: Deliveries wait until the fault is over. `reorder`: Deliveries are collected for two seconds each time, and the newest is sent first. `answer_500`: Each delivery arrives, and counts as answered with 500.
             * @enum {string}
             */
            mode: "none" | "drop" | "twice" | "delay" | "reorder" | "answer_500";
            /** @description How long; a minute by default */
            seconds?: number;
        }
export interface ClockForward {
            /**
             * @description By how much, at most 30 days
             * @example 180
             */
            seconds: number;
        }
export interface SandboxLimitsSwitch {
            /**
             * @description Whether payments of the sandbox meet the limits
             * @example true
             */
            enforced: boolean;
        }
export interface SandboxRequirementsSwitch {
            /**
             * @description Whether your sandbox demands what live demands
             * @example true
             */
            as_live: boolean;
        }
/** @description P2P, QR, split and funding */
export interface MoneyMoved {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            source_wallet_id: string | null;
            dest_wallet_id: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
/**
         * @description - `wallet_funding`: Money that came into a wallet from outside: an inbound bank transfer, or a funding in the sandbox
         *     - `wallet_credit`: A correction in favour of a wallet
         *     - `wallet_debit`: A correction at the cost of a wallet, or a payment that was taken back from it
         *     - `p2p_transfer`: A transfer from one wallet to another
         *     - `bank_transfer`: A transfer from a wallet to an account at a bank
         *     - `ussd_payment`: A payment that its payer confirms with a PIN on a phone, by USSD
         *     - `qr_payment`: The one payment of a QR payment request
         *     - `split_payment`: One leg of a payment from one wallet to several
         *     - `fee_deduction`: Stamp duty of a bank transfer, where it is charged
         *     - `reversal`: Amount and fee of a failed or returned bank transfer, given back to its source
         *     - `settlement_payout`: Collected money that is paid out to a partner; not in use yet
         * @enum {string}
         */
export type TransactionType = "wallet_funding" | "wallet_credit" | "wallet_debit" | "p2p_transfer" | "bank_transfer" | "ussd_payment" | "qr_payment" | "split_payment" | "fee_deduction" | "reversal" | "settlement_payout";
/** @enum {string} */
export type TransactionStatus = "pending" | "processing" | "completed" | "failed" | "reversed" | "expired";
export interface BankTransferCompleted {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            psp_reference: string | null;
            completed_at: string | null;
            /** @description Whether the bank has the name for the account that was sent; null where it has told none */
            name_matches: boolean | null;
        }
export interface UssdPaymentCompleted {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            session_id: string;
            completed_at: string | null;
        }
/** @description With what was given back: amount and fee */
export interface BankTransferFailed {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            failure_reason: string;
            reversal: {
                /** @constant */
                reversed: true;
                /** @example 0198c0de-0000-7000-8000-000000000001 */
                reversal_tx_id: string;
                /**
                 * @description In kobo (100 kobo = 1 naira)
                 * @example 150000
                 */
                amount_kobo: number;
            };
            /** @enum {string} */
            reversal_status: "completed" | "pending";
            /** @description Whether the bank has the name for the account that was sent; null where it has told none */
            name_matches: boolean | null;
        }
/** @description With what was given back; `pending` where the wallet can no longer take it */
export interface BankTransferReturned {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            failure_reason: string;
            reversal: {
                reversed: boolean;
                reversal_tx_id: string | null;
                /**
                 * @description In kobo (100 kobo = 1 naira)
                 * @example 150000
                 */
                amount_kobo: number;
            };
            /** @enum {string} */
            reversal_status: "completed" | "pending";
        }
/** @description Cancelled, three wrong PINs, or not payable; nothing was debited */
export interface UssdPaymentFailed {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            session_id: string;
            failure_reason: string;
            reversal: {
                /** @constant */
                reversed: false;
                reversal_tx_id: null;
                /** @constant */
                amount_kobo: 0;
            };
        }
export interface UssdPaymentExpired {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            session_id: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
        }
/** @description Nothing is sent before you decide; the money comes back where you do not in time */
export interface BankTransferNameMismatch {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            type: TransactionType;
            status: TransactionStatus;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            decide_before: string;
        }
export interface WalletActivated {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            user_ref: string;
            status: WalletStatus;
            account_number: string;
            account_name: string;
            bank_code: string;
            bank_name: string;
            account_status: AccountStatus;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            activated_at: string;
        }
/** @enum {string} */
export type WalletStatus = "pending" | "active" | "frozen" | "closed";
/** @enum {string} */
export type AccountStatus = "provisioning" | "active" | "suspended" | "closed";
export interface WalletParked {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            user_ref: string;
            status: WalletStatus;
            account_status: AccountStatus;
            /**
             * @description `details_missing`: tell what `missing` names; `no_account`: the bank owes a number
             * @enum {string}
             */
            reason: "details_missing" | "no_account";
            /**
             * @description Fields of the wallet, or `verified_bvn_or_nin` of its owner; never what is in them
             * @example [
             *       "metadata.email"
             *     ]
             */
            missing: ("metadata.first_name" | "metadata.last_name" | "metadata.email" | "metadata.phone" | "verified_bvn_or_nin")[];
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            parked_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface BulkTransfer {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            reference: string;
            status: BulkTransferStatus;
            /**
             * @description Of all lines together, in kobo, without fees
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            lines: BulkTransferCounts;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description When the last line had its result; null before */
            ended_at: string | null;
        }
/** @enum {string} */
export type BulkTransferStatus = "running" | "paused" | "completed" | "cancelled";
export interface BulkTransferCounts {
            total: number;
            /** @description Lines whose transfer was made */
            accepted: number;
            refused: number;
        }
export interface ScheduledTransferRunEnded {
            /**
             * @description Of the scheduled transfer
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            id: string;
            /** @description Of the scheduled transfer */
            reference: string;
            next_due_at: string | null;
            run: ScheduledTransferRunResult;
        }
export interface ScheduledTransferRunResult {
            /** @description From 1, in the order of the due times */
            number: number;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            due_at: string;
            /**
             * @description Of its transfer
             * @example rent-2026-1
             */
            reference: string;
            status: ScheduledTransferRunStatus;
            /** @description The transfer; null unless it was paid */
            transaction_id: string | null;
            /**
             * @description Why it was not paid, or what it waits for: the code with which the transfer was refused, `TOO_LATE` or `CANCELLED`
             * @example INSUFFICIENT_FUNDS
             */
            reason: string | null;
            ended_at: string | null;
        }
/** @enum {string} */
export type ScheduledTransferRunStatus = "running" | "waiting" | "paid" | "skipped" | "failed";
export interface ScheduledTransfer {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            reference: string;
            status: ScheduledTransferStatus;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            source_wallet: string;
            dest_wallet: string | null;
            /** @description null where a wallet is paid */
            dest_account: {
                bank_code: string;
                account_number: string;
            } | null;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            /** @description null where a rule says when */
            due_at: string | null;
            rule: CalendarRuleOfAnswer | null;
            /** @enum {string} */
            on_insufficient_funds: "skip" | "retry";
            /** @description null when no due time is left */
            next_due_at: string | null;
            /** @description How many due times have which result */
            runs: {
                paid: number;
                skipped: number;
                failed: number;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            ended_at: string | null;
        }
/** @enum {string} */
export type ScheduledTransferStatus = "active" | "completed" | "cancelled" | "failed";
export interface CalendarRuleOfAnswer {
            /** @enum {string} */
            every: "day" | "week" | "month";
            /** @example 09:00 */
            at: string;
            weekday: ("sunday" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday") | null;
            day_of_month: number | null;
            starts_on: string | null;
            ends_on: string | null;
            count: number | null;
        }
export interface KycVerified {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            verification_id: string;
            /** @description null for a director */
            user_ref: string | null;
            /**
             * @description Of a director only
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            director_id?: string;
            type: VerificationType;
            /** @enum {string} */
            subject: "end_user" | "director";
            /** @constant */
            status: "verified";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            verified_at: string;
        }
/** @enum {string} */
export type VerificationType = "bvn" | "nin";
export interface KycFailed {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            verification_id: string;
            /** @description null for a director */
            user_ref: string | null;
            /**
             * @description Of a director only
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            director_id?: string;
            type: VerificationType;
            /** @enum {string} */
            subject: "end_user" | "director";
            /** @constant */
            status: "failed";
            failure_reason: VerificationFailure;
        }
/** @enum {string} */
export type VerificationFailure = "BVN_NOT_FOUND" | "NIN_NOT_FOUND" | "WATCH_LISTED" | "NAME_MISMATCH" | "PROVIDER_UNAVAILABLE";
export interface WebhookTestDelivery {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            endpoint_id: string;
            message: string;
        }
/**
         * @description Switch on this code, not on the HTTP status: several codes share one
         * @enum {string}
         */
export type ErrorCode = "INVALID_TOKEN" | "RATE_LIMIT_EXCEEDED" | "SANDBOX_ONLY" | "INVALID_CREDENTIALS" | "ONE_TIME_CODE_REQUIRED" | "PARTNER_NOT_ACTIVE" | "FORBIDDEN" | "PROOF_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "IDEMPOTENCY_KEY_REUSED" | "REQUEST_IN_PROGRESS" | "VALIDATION_ERROR" | "INVALID_BANK_CODE" | "ACCOUNT_RESOLUTION_FAILED" | "AMOUNT_TOO_LOW" | "SAME_WALLET_TRANSFER" | "EMAIL_ALREADY_REGISTERED" | "DUPLICATE_REFERENCE" | "WALLET_ALREADY_EXISTS" | "WALLET_NOT_FOUND" | "WALLET_CLOSED" | "WALLET_FROZEN" | "WALLET_NOT_ACTIVE" | "INVALID_WALLET_STATE" | "WALLET_NOT_EMPTY" | "PIN_LOCKED" | "QR_ALREADY_PAID" | "QR_EXPIRED" | "HOLD_NOT_OPEN" | "USSD_SESSION_EXPIRED" | "USSD_SESSION_NOT_ACTIVE" | "COMPLIANCE_LOCKED" | "INVALID_COMPLIANCE_STATE" | "TRANSACTION_NOT_PROCESSING" | "NO_DECISION_NEEDED" | "INVALID_BULK_STATE" | "INVALID_SCHEDULE_STATE" | "LAST_OWNER" | "LIMIT_EXCEEDED" | "INSUFFICIENT_FUNDS" | "SERVICE_UNAVAILABLE" | "INTERNAL_ERROR";
export interface FieldProblem {
            /**
             * @description As the caller wrote it
             * @example splits[1].amount
             */
            field: string;
            /** @example is required */
            message: string;
        }
export interface Meta {
            /**
             * @description The same as the header X-Request-Id. Support finds the request by it
             * @example req_0198c0de000070008000000000000001
             */
            request_id: string;
            /**
             * @description Of a call that moves money, and only where there are any: the fields of its body that are none of the operation and had no effect, by their paths, a hundred at most; a name that is none of a programmer is `[hidden]`. `X-Strict: true` refuses them instead
             * @example [
             *       "amout",
             *       "transfers[3].narration"
             *     ]
             */
            ignored_fields?: string[];
        }
export interface Partner {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example Acme Fintech */
            business_name: string;
            /** @example owner@acme.example */
            email: string;
            /** @example +2348012345678 */
            phone: string;
            /** @enum {string} */
            status: "registered" | "pending_review" | "active" | "suspended" | "closed";
            /** @enum {string} */
            tier: "starter" | "growth" | "scale";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface Login {
            /** @description A JWT for one partner in one environment */
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            /**
             * @description In seconds
             * @constant
             */
            expires_in: 3600;
            partner: Partner;
        }
export interface ConfirmedEmail {
            /** @example owner@acme.example */
            email: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            confirmed_at: string;
        }
export interface User {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example finance@acme.example */
            email: string;
            /** @enum {string} */
            role: "owner" | "developer" | "finance" | "viewer";
            email_confirmed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface PartnerOfCaller {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example Acme Fintech */
            business_name: string;
            /** @example owner@acme.example */
            email: string;
            /** @example +2348012345678 */
            phone: string;
            /** @enum {string} */
            status: "registered" | "pending_review" | "active" | "suspended" | "closed";
            /** @enum {string} */
            tier: "starter" | "growth" | "scale";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * @description Of the credential
             * @enum {string}
             */
            environment: "sandbox" | "live";
            credential: {
                /** @enum {string} */
                type: "api_key" | "access_token";
                /** @description The first 12 characters of an API key */
                key_prefix: string | null;
                /** @description null: not by itself */
                expires_at: string | null;
            };
            /** @description As the headers of this answer say */
            rate_limit: {
                /** @description Requests a minute */
                limit: number;
                remaining: number;
                reset_seconds: number;
            };
        }
export interface CreatedAPIKey {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /**
             * @description The first 12 characters
             * @example sk_test_4fzQ...
             */
            key_prefix: string;
            /** @enum {string} */
            environment: "sandbox" | "live";
            label: string;
            /** @description What it may do; absent where it may do everything */
            scopes?: ("read" | "payments" | "webhooks" | "admin")[];
            /** @description The networks from which it may be used; absent where it may be used from everywhere */
            allowed_cidrs?: string[];
            /** @description To the minute */
            last_used_at: string | null;
            expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description The key itself; shown here and never again */
            key: string;
        }
export interface ListedAPIKey {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /**
             * @description The first 12 characters
             * @example sk_test_4fzQ...
             */
            key_prefix: string;
            /** @enum {string} */
            environment: "sandbox" | "live";
            label: string;
            /** @description What it may do; absent where it may do everything */
            scopes?: ("read" | "payments" | "webhooks" | "admin")[];
            /** @description The networks from which it may be used; absent where it may be used from everywhere */
            allowed_cidrs?: string[];
            /** @description To the minute */
            last_used_at: string | null;
            expires_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description With `include=used_by_day`: how many requests the key has asked for on each of the last 30 days, the latest first; a few seconds behind. A day without use is left out */
            used_by_day?: {
                /**
                 * Format: date
                 * @description In Lagos
                 * @example 2026-11-25
                 */
                day: string;
                requests: number;
            }[];
        }
export interface PageMeta {
            /**
             * @description The same as the header X-Request-Id. Support finds the request by it
             * @example req_0198c0de000070008000000000000001
             */
            request_id: string;
            /** @description The `cursor` of the next page; null on the last */
            next_cursor: string | null;
            has_more: boolean;
            /** @description Only of events behind `after`: the `after` of the next call */
            next_after?: string;
        }
export interface Session {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @enum {string} */
            environment: "sandbox" | "live";
            /**
             * @description The network address from which it was begun
             * @example 203.0.113.7
             */
            address: string | null;
            /** @description Whether it is the session of the token of this request */
            current: boolean;
            /**
             * Format: date-time
             * @description When the user last gave the password
             * @example 2026-01-15T09:30:00.000Z
             */
            proved_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface SecurityEvent {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /**
             * @description - `account.registered`: The account was registered.
             *     - `account.cleared`: The email address was proved for the first time, which ended the API keys, sessions, invitations, other users, one-time codes and webhook endpoints that were made before, and took back what was submitted of the compliance record.
             *     - `email.confirmation_asked`: Another mail to confirm an address was asked for.
             *     - `email.confirmed`: The email address was confirmed.
             *     - `email.change_asked`: Another email address was asked for.
             *     - `email.changed`: The email address of a user was changed.
             *     - `email.taken_back`: A user took the earlier email address back, which ended what the user had been able to make since it was changed.
             *     - `session.started`: Somebody signed in.
             *     - `session.refused`: A sign-in was refused, because there were too many wrong attempts.
             *     - `session.ended`: Somebody logged out.
             *     - `session.all_ended`: Somebody logged out everywhere.
             *     - `session.proved`: Somebody proved who they are once more.
             *     - `password.changed`: The password was changed.
             *     - `password.reset_asked`: A new password was asked for.
             *     - `password.reset`: The password was replaced with a mailed token.
             *     - `totp.enabled`: One-time codes were switched on.
             *     - `totp.disabled`: One-time codes were switched off.
             *     - `totp.reset`: The platform reset the one-time codes of a user.
             *     - `totp.recovery_code_used`: A recovery code was used.
             *     - `totp.recovery_codes_made`: New recovery codes were made.
             *     - `user.invited`: Somebody was invited.
             *     - `user.invitation_withdrawn`: An invitation was withdrawn.
             *     - `user.joined`: Somebody who was invited has joined.
             *     - `user.removed`: A user was removed.
             *     - `user.role_changed`: The role of a user was changed.
             *     - `api_key.made`: An API key for the sandbox was made.
             *     - `api_key.made_live`: An API key for live was made.
             *     - `api_key.rotated`: An API key for the sandbox was replaced.
             *     - `api_key.rotated_live`: An API key for live was replaced.
             *     - `api_key.expires_soon`: An API key ends soon.
             *     - `api_key.deleted`: An API key was deleted.
             *     - `webhook_endpoint.added`: A webhook endpoint of the sandbox was added, with a secret of its own.
             *     - `webhook_endpoint.added_live`: A webhook endpoint of live was added, with a secret of its own.
             *     - `webhook_endpoint.changed`: A webhook endpoint of the sandbox was changed.
             *     - `webhook_endpoint.changed_live`: A webhook endpoint of live was changed.
             *     - `webhook_endpoint.deleted`: A webhook endpoint of the sandbox was deleted.
             *     - `webhook_endpoint.deleted_live`: A webhook endpoint of live was deleted.
             *     - `webhook_secret.replaced`: The secret of a webhook endpoint of the sandbox was replaced.
             *     - `webhook_secret.replaced_live`: The secret of a webhook endpoint of live was replaced.
             * @enum {string}
             */
            kind: "account.registered" | "account.cleared" | "email.confirmation_asked" | "email.confirmed" | "email.change_asked" | "email.changed" | "email.taken_back" | "session.started" | "session.refused" | "session.ended" | "session.all_ended" | "session.proved" | "password.changed" | "password.reset_asked" | "password.reset" | "totp.enabled" | "totp.disabled" | "totp.reset" | "totp.recovery_code_used" | "totp.recovery_codes_made" | "user.invited" | "user.invitation_withdrawn" | "user.joined" | "user.removed" | "user.role_changed" | "api_key.made" | "api_key.made_live" | "api_key.rotated" | "api_key.rotated_live" | "api_key.expires_soon" | "api_key.deleted" | "webhook_endpoint.added" | "webhook_endpoint.added_live" | "webhook_endpoint.changed" | "webhook_endpoint.changed_live" | "webhook_endpoint.deleted" | "webhook_endpoint.deleted_live" | "webhook_secret.replaced" | "webhook_secret.replaced_live";
            /** @description What has happened, in one sentence */
            description: string;
            /** @description The user who acted or is meant; null where nobody is known */
            user_id: string | null;
            /**
             * @description The network address of the caller; null where nobody called
             * @example 192.0.2.10
             */
            address: string | null;
            /** @description What helps to recognise the event */
            detail: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface OneTimeCodeOffer {
            /** @description For typing into an authenticator, in base32 */
            secret: string;
            /** @description The same as an address, to be shown as a QR code */
            uri: string;
        }
export interface RecoveryCodes {
            /** @description Each works once in place of a one-time code; they are shown here and never again */
            recovery_codes: string[];
        }
export interface Invitation {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example finance@acme.example */
            email: string;
            /** @enum {string} */
            role: "owner" | "developer" | "finance" | "viewer";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface Wallet {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /**
             * @description The partner's own name of the owner
             * @example ada
             */
            user_ref: string;
            /** @constant */
            currency: "NGN";
            status: WalletStatus;
            /** @description The NUBAN that the MFB issued; empty until it is issued */
            account_number: string;
            /** @description The name of the account; empty until it is issued */
            account_name: string;
            /** @description The MFB's code; empty until it is issued */
            bank_code: string;
            /** @description The MFB's name; empty until it is issued */
            bank_name: string;
            /** @description The MFB's own reference of the account; empty until it is issued */
            mfb_reference: string;
            account_status: AccountStatus;
            /** @description As it was sent */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            updated_at: string;
        }
export interface WalletInList {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /**
             * @description The partner's own name of the owner
             * @example ada
             */
            user_ref: string;
            /** @constant */
            currency: "NGN";
            status: WalletStatus;
            /** @description The NUBAN that the MFB issued; empty until it is issued */
            account_number: string;
            /** @description The name of the account; empty until it is issued */
            account_name: string;
            /** @description The MFB's code; empty until it is issued */
            bank_code: string;
            /** @description The MFB's name; empty until it is issued */
            bank_name: string;
            /** @description The MFB's own reference of the account; empty until it is issued */
            mfb_reference: string;
            account_status: AccountStatus;
            /** @description As it was sent */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            updated_at: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_kobo?: number;
            /**
             * @description In naira: two decimal places, no separators
             * @example 1500.00
             */
            balance_naira?: string;
            /**
             * @description What can be spent: the balance without what open holds set aside
             * @example 150000
             */
            available_kobo?: number;
        }
export interface WalletWithBalance {
            wallet: Wallet;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_kobo: number;
            /**
             * @description In naira: two decimal places, no separators
             * @example 1500.00
             */
            balance_naira: string;
            /**
             * @description What can be spent: the balance without what open holds set aside
             * @example 150000
             */
            available_kobo: number;
        }
export interface WalletBalance {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_kobo: number;
            /**
             * @description In naira: two decimal places, no separators
             * @example 1500.00
             */
            balance_naira: string;
        }
export interface Transaction {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            reference: string;
            type: TransactionType;
            status: TransactionStatus;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            source_wallet: string | null;
            dest_wallet: string | null;
            source_account: null;
            dest_account: DestinationAccount | null;
            split_config: SplitConfig | null;
            fee_breakdown: FeeBreakdown;
            mfb_reference: string | null;
            /** @description null until the provider has accepted */
            psp_reference: string | null;
            psp_meta: PspMeta | null;
            idempotency_key: string | null;
            description: string;
            /** @description As it was sent; `inbound` on money that came in from a bank */
            metadata: {
                inbound?: InboundSender;
            } & {
                [key: string]: unknown;
            };
            failed_reason: string | null;
            completed_at: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            updated_at: string;
        }
export interface DestinationAccount {
            bank_code: string;
            bank_name: string;
            account_number: string;
            /** @description As it was sent */
            account_name: string;
            /** @description What the bank's name enquiry answered */
            resolved_name: string | null;
            /** @description Whether that is the holder who was sent; null before the bank has told a name */
            name_matches: boolean | null;
            /** @enum {string} */
            on_name_mismatch: "continue" | "hold" | "fail";
            /** @description What you have decided about a name that differs; null where nothing is decided */
            name_decision: ("continue" | "fail") | null;
            /** @enum {string} */
            purpose: "salary" | "supplier" | "goods" | "services" | "rent" | "loan" | "tax" | "other";
        }
/** @description All shares of the split that this transaction is a leg of */
export interface SplitConfig {
            splits: SplitEntry[];
        }
export interface SplitEntry {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            percentage?: number;
        }
/** @description All in kobo */
export interface FeeBreakdown {
            /**
             * @description Charged to the source on top of the amount
             * @example 150000
             */
            customerFee: number;
            /**
             * @description Charged to the partner
             * @example 150000
             */
            merchantFee: number;
            /**
             * @description Both fees: our gross revenue
             * @example 150000
             */
            platformFee: number;
            /**
             * @description What the bank charges us; it never changes the debit
             * @example 150000
             */
            mfbCost: number;
            /**
             * @description What the destination receives
             * @example 150000
             */
            netAmount: number;
        }
export interface PspMeta {
            provider: string;
            session_id: string | null;
            response_code: string | null;
        }
/** @description Who has paid money that came in from a bank, as that bank tells it; null what it does not tell. Most of the account number is hidden */
export interface InboundSender {
            sender_name: string | null;
            sender_bank: string | null;
            sender_account_number: string | null;
            narration: string | null;
        }
export interface LedgerEntry {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            transaction_id: string;
            /** @enum {string} */
            direction: "credit" | "debit";
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_after: number;
            /** @description The wallet's own running number of its entries */
            sequence: number;
            /** @enum {string} */
            status: "pending" | "posted" | "reversed";
            description: string;
            /** @description As it was sent */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
export interface Statement {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            from: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            to: string;
            /** @constant */
            currency: "NGN";
            /**
             * @description In kobo, before the first entry
             * @example 150000
             */
            opening_balance: number;
            /**
             * @description In kobo, after the last entry
             * @example 150000
             */
            closing_balance: number;
            entry_count: number;
            /** @description Oldest first, by `sequence` */
            entries: StatementEntry[];
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            total_credit: number;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            total_debit: number;
        }
export interface StatementEntry {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            transaction_id: string;
            /** @enum {string} */
            direction: "credit" | "debit";
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_after: number;
            /** @description The wallet's own running number of its entries */
            sequence: number;
            /** @enum {string} */
            status: "pending" | "posted" | "reversed";
            description: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            type: TransactionType;
            reference: string;
            /** @description In kobo: the fee and its VAT within the amount; below 0 where a fee comes back */
            fee: number;
            counterparty: Counterparty;
        }
/** @description Who paid, or was paid; null where that is not known, as of a funding of the sandbox */
export type Counterparty = {
            name: string | null;
            bank_name: string | null;
            /** @description All but the last four digits are hidden */
            account_number: string | null;
        } | null;
export interface TimelineItem {
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            /** @enum {string} */
            kind: "request" | "ussd" | "operator" | "ledger" | "provider" | "callback" | "reversal" | "event" | "delivery";
            /** @description What happened, as a sentence */
            title: string;
            /** @description The step of the entries (`accept`, `settle`, `return`), the name of the event or of the operation, the outcome that was ordered, `opened`, `pin` or `ended`, or `other_name` of an order to an account that has another name at its bank */
            what: string | null;
            /** @description Who did it; null for the platform */
            actor: ("payer" | "sandbox" | "operator") | null;
            /** @description Of a payout how it stands, of a callback or a PIN the outcome, of an order whether it is carried out, of a USSD session how it ended, of a request or a delivery the HTTP status */
            status: string | null;
            /** @description Why there was no answer to a delivery; or the fault of the sandbox that it met, as `fault: drop` */
            error: string | null;
            duration_ms: number | null;
            /** @description Of a request, as in `X-Request-Id` */
            request_id: string | null;
            event_id: string | null;
            endpoint_id: string | null;
            /** @description The other transaction of a reversal */
            transaction_id: string | null;
            entry_ids: string[];
        }
export interface Volume {
            /**
             * Format: date-time
             * @description When the hour or day began
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            type: TransactionType;
            count: number;
            /** @description Of these: `failed`, `reversed` or `expired` */
            failed: number;
            /**
             * @description In kobo, of those that are `completed`
             * @example 150000
             */
            amount_kobo: number;
            /**
             * @description In kobo, of those that are `completed`
             * @example 150000
             */
            fee_kobo: number;
        }
export interface Bank {
            /**
             * @description What a transfer names as bank_code
             * @example 058
             */
            code: string;
            name: string;
            slug: string;
            /**
             * @description null when unknown
             * @example 000013
             */
            nip_code: string | null;
        }
export interface ResolvedAccount {
            /** @example 0123456789 */
            account_number: string;
            /** @example ADA OBI */
            account_name: string;
            /** @example 058 */
            bank_code: string;
            bank_name: string;
        }
export interface BulkTransferLine {
            /** @description From 0, in the order of the request */
            place: number;
            reference: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            status: BulkTransferLineStatus;
            transaction_id: string | null;
            /** @description As the transaction is now */
            transaction_status: TransactionStatus | null;
            /** @description Why the line was refused; null unless it was */
            refusal: BulkTransferLineRefusal | null;
        }
/** @enum {string} */
export type BulkTransferLineStatus = "waiting" | "running" | "accepted" | "refused" | "cancelled";
export interface BulkTransferLineRefusal {
            error: ErrorCode;
            /** @description For people; its words may change */
            message: string;
            /** @description The context of the code */
            detail?: {
                /** @description Of `VALIDATION_ERROR`: everything that is wrong, in the order of the schema; the first is the message */
                fields?: FieldProblem[];
                /** @description Of `NOT_FOUND`: `no_such_operation` (There is no operation with this method and path), `malformed_id` (The address has a malformed id, which can be the id of nothing), `not_found` (The resource does not exist); what is unknown and what is not yours are told alike. Of `FORBIDDEN`: `network` (The API key may not be used from this address), `scope` (The API key does not have the scope that this needs), `access_token` (An API key may not do this: log in at POST /v1/auth/login, and send the access token), `role` (The role of this user does not allow it), `email_unconfirmed` (This works in live once the owner's email address is confirmed), `environment` (An access token makes keys for its own environment only: log in for the other one), `no_user` (The token belongs to no user: log in with email and password), `viewer` (A viewer changes nothing), `oneself` (Nobody admits themselves), `own_proposal` (Nobody approves their own proposal) */
                reason?: string;
            } & {
                [key: string]: unknown;
            };
        }
export interface FeeRule {
            type: TransactionType;
            /**
             * @description In kobo, whatever the amount is
             * @example 150000
             */
            flat_kobo: number;
            /** @description Of the amount, in hundredths of a percent, rounded down */
            basis_points: number;
            /** @description The most that the rate comes to, in kobo */
            cap_kobo: number | null;
        }
export interface Quote {
            type: TransactionType;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            fee_breakdown: FeeBreakdown;
            /**
             * @description What the source would bear as stamp duty, as a `fee_deduction` of its own; 0 where none is charged
             * @example 150000
             */
            stamp_duty: number;
            /**
             * @description What the source would be debited: the amount, the fee and the stamp duty
             * @example 150000
             */
            total_debit: number;
            /** @description With what the payment would be refused at this moment; null when it would happen */
            refusal: QuoteRefusal | null;
        }
export interface QuoteRefusal {
            error: ErrorCode;
            /** @description For people; its words may change */
            message: string;
            /** @description The context of the code */
            detail?: {
                /** @description Of `VALIDATION_ERROR`: everything that is wrong, in the order of the schema; the first is the message */
                fields?: FieldProblem[];
                /** @description Of `NOT_FOUND`: `no_such_operation` (There is no operation with this method and path), `malformed_id` (The address has a malformed id, which can be the id of nothing), `not_found` (The resource does not exist); what is unknown and what is not yours are told alike. Of `FORBIDDEN`: `network` (The API key may not be used from this address), `scope` (The API key does not have the scope that this needs), `access_token` (An API key may not do this: log in at POST /v1/auth/login, and send the access token), `role` (The role of this user does not allow it), `email_unconfirmed` (This works in live once the owner's email address is confirmed), `environment` (An access token makes keys for its own environment only: log in for the other one), `no_user` (The token belongs to no user: log in with email and password), `viewer` (A viewer changes nothing), `oneself` (Nobody admits themselves), `own_proposal` (Nobody approves their own proposal) */
                reason?: string;
            } & {
                [key: string]: unknown;
            };
        }
export interface Hold {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            status: HoldStatus;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /**
             * @description What the hold sets aside while it is open
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            reference: string;
            /** @description The payment that has captured it; null before */
            transaction_id: string | null;
            /** @description The amount of that payment, without its fee */
            captured_amount: number | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
            /** @description When it was captured, released or had expired */
            ended_at: string | null;
        }
/** @enum {string} */
export type HoldStatus = "open" | "captured" | "released" | "expired";
export interface ScheduledTransferRun {
            /** @description From 1, in the order of the due times */
            number: number;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            due_at: string;
            /**
             * @description Of its transfer
             * @example rent-2026-1
             */
            reference: string;
            status: ScheduledTransferRunStatus;
            /** @description The transfer; null unless it was paid */
            transaction_id: string | null;
            /**
             * @description Why it was not paid, or what it waits for: the code with which the transfer was refused, `TOO_LATE` or `CANCELLED`
             * @example INSUFFICIENT_FUNDS
             */
            reason: string | null;
            ended_at: string | null;
            /** @description As the transaction is now */
            transaction_status: TransactionStatus | null;
        }
export interface KycSubmitted {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            verification_id: string;
            /** @constant */
            status: "pending";
        }
export interface KycStatus {
            user_ref: string;
            verifications: KycVerification[];
        }
export interface KycVerification {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            verification_id: string;
            type: VerificationType;
            /** @enum {string} */
            status: "pending" | "verified" | "failed";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            verified_at: string | null;
            failure_reason: VerificationFailure | null;
        }
export interface QrPaymentRequest {
            /** @description The code as PNG, base64 */
            qr_code: string;
            /** @description The text of the code by EMVCo; `qr/pay` takes it too */
            qr_payload: string;
            reference: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
        }
export interface QrRequestInList {
            reference: string;
            status: QrStatus;
            /**
             * @description The wallet that is paid
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            wallet_id: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            description: string;
            /** @description As it was sent */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The payment; null before it */
            transaction_id: string | null;
            /** @description The wallet that has paid; null before */
            source_wallet: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
        }
/** @enum {string} */
export type QrStatus = "open" | "paid" | "expired";
export interface QrRequest {
            reference: string;
            status: QrStatus;
            /**
             * @description The wallet that is paid
             * @example 0198c0de-0000-7000-8000-000000000001
             */
            wallet_id: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /** @constant */
            currency: "NGN";
            description: string;
            /** @description As it was sent */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The payment; null before it */
            transaction_id: string | null;
            /** @description The wallet that has paid; null before */
            source_wallet: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
            /** @description The code as PNG, base64 */
            qr_code: string;
            /** @description The text of the code by EMVCo; `qr/pay` takes it too */
            qr_payload: string;
        }
export interface UssdStarted {
            /** @example ussd_01HW000000E008000000000051 */
            session_id: string;
            /**
             * @description What the payer dials
             * @example *384*4827*615203#
             */
            ussd_code: string;
            /**
             * @description What the payer dials
             * @example *384*4827*615203#
             */
            dial_code: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
        }
/** @enum {string} */
export type UssdStatus = "initiated" | "menu_main" | "pin_entry" | "processing" | "completed" | "failed" | "expired";
export interface UssdSession {
            /** @example ussd_01HW000000E008000000000051 */
            session_id: string;
            status: UssdStatus;
            /**
             * @description What the payer dials
             * @example *384*4827*615203#
             */
            ussd_code: string;
            /**
             * @description What the payer dials
             * @example *384*4827*615203#
             */
            dial_code: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount: number;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            /**
             * @description In naira: two decimal places, no separators
             * @example 1500.00
             */
            amount_naira: string;
            /** @constant */
            currency: "NGN";
            reference: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            payer_wallet_id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            merchant_wallet_id: string;
            merchant_name: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            transaction_id: string;
            pin_attempts_remaining: number;
            /**
             * @example null
             * @example WRONG_PIN
             * @example CANCELLED
             */
            failure_reason: string | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            expires_at: string;
            completed_at: string | null;
        }
export interface UssdScreen {
            /** @description The screen, without the word before it */
            reply: string;
            /** @description Whether the dialogue waits for an input */
            open: boolean;
            /** @description What a gateway would have sent to the callback */
            form: string;
        }
export interface WebhookEndpoint {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /** @example https://partner.example/webhooks */
            url: string;
            events: ("transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed")[];
            /** @description false after a 410 or five days of failures only, and when it was switched off */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description Failed attempts in a row */
            failure_count: number;
            last_success_at: string | null;
        }
export interface RegisteredWebhookEndpoint {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /** @example https://partner.example/webhooks */
            url: string;
            events: ("transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed")[];
            /** @description false after a 410 or five days of failures only, and when it was switched off */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description Failed attempts in a row */
            failure_count: number;
            last_success_at: string | null;
            /**
             * @description Verifies the signatures of deliveries; shown here and never again
             * @example sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
        }
export interface RotatedWebhookEndpoint {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            partner_id: string;
            /** @example https://partner.example/webhooks */
            url: string;
            events: ("transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed")[];
            /** @description false after a 410 or five days of failures only, and when it was switched off */
            is_active: boolean;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description Failed attempts in a row */
            failure_count: number;
            last_success_at: string | null;
            /**
             * @description Verifies the signatures of deliveries; shown here and never again
             * @example sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            previous_secret_valid_until: string;
        }
export interface Event {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            id: string;
            /** @description The same on every stream of events; each delivery has its own */
            webhook_id: string;
            /** @enum {string} */
            event: "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "webhook.test";
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            resource_id: string;
            /** @description What deliveries carry as their `data`, by the kind of the event */
            data: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description How many deliveries wait, have arrived, and are not tried any more */
            deliveries: {
                pending: number;
                delivered: number;
                failed: number;
            };
        }
export interface EventRedelivered {
            /** @description How many are on their way */
            deliveries: number;
        }
export interface Delivery {
            webhook_id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            event_id: string;
            /**
             * @description The name under which the endpoint gets it
             * @enum {string}
             */
            event: "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed" | "webhook.test";
            status: DeliveryStatus;
            /** @description Since it was last begun */
            attempts: number;
            next_attempt_at: string | null;
            delivered_at: string | null;
            /** @description The HTTP status of the last answer */
            last_status: number | null;
            /** @description Why there was no answer; or the fault of the sandbox that it met, as `fault: drop` */
            last_error: string | null;
            last_duration_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
        }
/**
         * @description - `pending`: it will be tried
         *     - `delivered`: it was answered with a 2xx
         *     - `failed`: it is not tried any more
         *     - `parked`: it was never tried, because the endpoint was switched off
         * @enum {string}
         */
export type DeliveryStatus = "pending" | "delivered" | "failed" | "parked";
export interface DeliveryDetail {
            webhook_id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            event_id: string;
            /**
             * @description The name under which the endpoint gets it
             * @enum {string}
             */
            event: "transaction.completed" | "transaction.failed" | "wallet.activated" | "wallet.parked" | "kyc.verified" | "kyc.failed" | "transaction.reversed" | "transaction.expired" | "transaction.name_mismatch" | "bulk_transfer.completed" | "scheduled_transfer.paid" | "scheduled_transfer.skipped" | "scheduled_transfer.failed" | "scheduled_transfer.ended" | "transfer.completed" | "transfer.failed" | "webhook.test";
            status: DeliveryStatus;
            /** @description Since it was last begun */
            attempts: number;
            next_attempt_at: string | null;
            delivered_at: string | null;
            /** @description The HTTP status of the last answer */
            last_status: number | null;
            /** @description Why there was no answer; or the fault of the sandbox that it met, as `fault: drop` */
            last_error: string | null;
            last_duration_ms: number | null;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            created_at: string;
            /** @description Those that every attempt has; time and signature are new on each */
            headers: {
                [key: string]: string;
            };
            /** @description The bytes that every attempt sends */
            body: string;
            tries: DeliveryTry[];
        }
export interface DeliveryTry {
            number: number;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            status: number | null;
            error: string | null;
            duration_ms: number;
        }
export interface WebhookRecovered {
            /** @description How many are on their way; at most 10,000 by one call */
            deliveries: number;
            /** @description Whether more are left for another call */
            has_more: boolean;
        }
export interface LoggedRequest {
            /**
             * @description As in `X-Request-Id`
             * @example req_0198c0de00007000800000000000000a
             */
            request_id: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            /**
             * @description As it was sent
             * @example POST
             */
            method: string;
            /** @description Its `operationId`; `none` where there is no such operation */
            operation: string;
            /** @description null when the caller had gone before the answer */
            status: number | null;
            /** @description Of a refusal */
            code: string | null;
            duration_ms: number;
            /** @description Of the API key; null for a person */
            key_prefix: string | null;
            idempotency_key: string | null;
            /** @description Whether the answer repeats an earlier one */
            replayed: boolean;
            /** @description The fault of the sandbox that it asked for by `X-Sandbox-Fault`, and met */
            fault: string | null;
            /** @description In the path, or of what the request has made */
            resource_id: string | null;
            /**
             * @description Only where there are any: fields of the body of a call that moves money which had no effect, by their paths, twenty at most; a name that is none of a programmer is `[hidden]`
             * @example [
             *       "amout",
             *       "transfers[3].narration"
             *     ]
             */
            ignored_fields?: string[];
        }
export interface LoggedRequestWithBodies {
            /**
             * @description As in `X-Request-Id`
             * @example req_0198c0de00007000800000000000000a
             */
            request_id: string;
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            at: string;
            /**
             * @description As it was sent
             * @example POST
             */
            method: string;
            /** @description Its `operationId`; `none` where there is no such operation */
            operation: string;
            /** @description null when the caller had gone before the answer */
            status: number | null;
            /** @description Of a refusal */
            code: string | null;
            duration_ms: number;
            /** @description Of the API key; null for a person */
            key_prefix: string | null;
            idempotency_key: string | null;
            /** @description Whether the answer repeats an earlier one */
            replayed: boolean;
            /** @description The fault of the sandbox that it asked for by `X-Sandbox-Fault`, and met */
            fault: string | null;
            /** @description In the path, or of what the request has made */
            resource_id: string | null;
            /**
             * @description Only where there are any: fields of the body of a call that moves money which had no effect, by their paths, twenty at most; a name that is none of a programmer is `[hidden]`
             * @example [
             *       "amout",
             *       "transfers[3].narration"
             *     ]
             */
            ignored_fields?: string[];
            /** @description The body of the request as JSON text; null where there was none, or where it was not kept */
            request_body: string | null;
            /** @description The body of the answer as JSON text; null where there was none, or where it was not kept */
            response_body: string | null;
            /** @description Whether one of them was longer than the 4096 bytes that are kept */
            truncated: boolean;
        }
export interface ComplianceStatus {
            /** @enum {string} */
            overall_status: "incomplete" | "submitted" | "under_review" | "approved" | "rejected" | "suspended";
            cac_number: string;
            /** @enum {string} */
            business_type: "" | "llc" | "sole_prop" | "ngo" | "partnership";
            terms_version: string;
            rejection_reason: string | null;
            steps: {
                business_info: boolean;
                directors: boolean;
                agreements: boolean;
                use_case: boolean;
            };
            directors_submitted_at: string | null;
            terms_accepted_at: string | null;
            aml_policy_accepted_at: string | null;
            dpa_accepted_at: string | null;
            use_case_description: string;
        }
export interface FundingResult {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            wallet_id: string;
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            transaction_id: string;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            amount_kobo: number;
            /**
             * @description In kobo (100 kobo = 1 naira)
             * @example 150000
             */
            balance_kobo: number;
            /**
             * @description In naira: two decimal places, no separators
             * @example 1500.00
             */
            balance_naira: string;
            /** @constant */
            status: "completed";
            /** @constant */
            result: "wallet funded";
            note: string | null;
        }
export interface TransferOutcome {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            transaction_id: string;
            /** @enum {string} */
            status: "completed" | "failed";
            result: string;
        }
export interface ResetResult {
            /** @constant */
            result: "ok";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            reset_at: string;
        }
export interface SandboxStorage {
            used_bytes: number;
            allowed_bytes: number;
        }
export interface SandboxScenarios {
            scenarios: SandboxScenario[];
        }
export interface SandboxScenario {
            /** @example success_after:<seconds> */
            scenario: string;
            /**
             * @description An account number at another bank with this ending asks for it too
             * @example 0909
             */
            account_ending: string | null;
            /** @example unknown_then_success:5 */
            account_ending_means: string | null;
            description: string;
        }
export interface WebhookFaultResult {
            /** @example 0198c0de-0000-7000-8000-000000000001 */
            webhook_id: string;
            /**
             * @description `drop`: Nothing arrives; each delivery is tried again later. `twice`: Each delivery arrives twice. `delay`: Deliveries wait until the fault is over. `reorder`: Deliveries are collected for two seconds each time, and the newest is sent first. `answer_500`: Each delivery arrives, and counts as answered with 500.
             * @enum {string}
             */
            mode: "none" | "drop" | "twice" | "delay" | "reorder" | "answer_500";
            /**
             * Format: date-time
             * @example 2026-01-15T09:30:00.000Z
             */
            until: string;
        }
export interface ClockForwarded {
            /** @constant */
            result: "ok";
            seconds: number;
            moved: {
                ussd_sessions: number;
                qr_requests: number;
                holds: number;
                transfers: number;
                /** @description Which are active; what is due by then is paid now */
                scheduled_transfers: number;
                verifications: number;
                deliveries: number;
                freezes: number;
                /** @description Of which the 24 hours are over now */
                idempotency_keys: number;
            };
        }
export interface SandboxLimits {
            enforced: boolean;
            tiers: LimitTier[];
        }
export interface LimitTier {
            /** @enum {string} */
            tier: "unverified" | "tier_1" | "tier_2" | "business";
            who: string;
            /** @description Wallets whose user_ref begins so are in this tier without a check; null where there is none */
            user_ref: string | null;
            limits: {
                /** @enum {string} */
                limit: "nip_transfer" | "single_debit" | "daily_debit" | "daily_ussd" | "single_credit" | "largest_balance";
                what: string;
                /** @description null where the tier has no such limit */
                allowed_kobo: number | null;
            }[];
        }
export interface SandboxRequirements {
            as_live: boolean;
            /**
             * @description What a wallet must have
             * @example [
             *       "metadata.first_name",
             *       "metadata.last_name"
             *     ]
             */
            wallet: ("metadata.first_name" | "metadata.last_name" | "metadata.email" | "metadata.phone" | "verified_bvn_or_nin")[];
            /**
             * @description What the wallet of a user_ref must have before its BVN or NIN is checked
             * @example [
             *       "metadata.first_name",
             *       "metadata.last_name"
             *     ]
             */
            kyc: ("metadata.first_name" | "metadata.last_name" | "metadata.email" | "metadata.phone" | "verified_bvn_or_nin")[];
        }
/** @description The reference form of a refusal */
export interface Error {
            error: ErrorCode;
            /** @description For people; its words may change */
            message: string;
            /** @description The context of the code */
            detail?: {
                /** @description Of `VALIDATION_ERROR`: everything that is wrong, in the order of the schema; the first is the message */
                fields?: FieldProblem[];
                /** @description Of `NOT_FOUND`: `no_such_operation` (There is no operation with this method and path), `malformed_id` (The address has a malformed id, which can be the id of nothing), `not_found` (The resource does not exist); what is unknown and what is not yours are told alike. Of `FORBIDDEN`: `network` (The API key may not be used from this address), `scope` (The API key does not have the scope that this needs), `access_token` (An API key may not do this: log in at POST /v1/auth/login, and send the access token), `role` (The role of this user does not allow it), `email_unconfirmed` (This works in live once the owner's email address is confirmed), `environment` (An access token makes keys for its own environment only: log in for the other one), `no_user` (The token belongs to no user: log in with email and password), `viewer` (A viewer changes nothing), `oneself` (Nobody admits themselves), `own_proposal` (Nobody approves their own proposal) */
                reason?: string;
            } & {
                [key: string]: unknown;
            };
            meta: Meta;
        }
