import { boolText, defineEndpoint, idText, jsonField, labelText, pageNumber, pageSize, timeMsText, totpText } from '@holdfast/contract'
import * as z from 'zod'

/** The token of an invitation link: 43 characters of base64url. */
const inviteText = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'it must be the invitation from the link')
const accountText = z
  .string()
  .min(1)
  .max(254)
  .transform((text) => text.trim().toLowerCase())
// The length of a new password is judged with the other rules, so that the refusal can say what to do.
const passwordText = z.string().min(1).max(256)
const base64url = (maxLength: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'it must be base64url')
    .max(maxLength)
const timeMs = z.int()

export const signInMethods = ['passkey', 'password', 'device'] as const
export type SignInMethod = (typeof signInMethods)[number]

/** What every successful sign-in or registration answers. `open_token` belongs in memory, never in storage. */
export const signedIn = z.object({ open_token: z.string(), person_id: z.string(), role: z.string(), expires_at: timeMs })

export const getState = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/session/state',
  permission: 'public',
  bootstrap: true,
  summary: 'Whether this browser is signed in, and how one can sign in. Hands out the XSRF cookie and, to a signed-in page, its open token.',
  input: z.object({}),
  output: z.object({
    signed_in: z.boolean(),
    organisation_ready: z.boolean(),
    /** This server offers a demo organisation. */
    demo: z.boolean(),
    methods: z.array(z.enum(signInMethods)),
    session: signedIn.extend({ organisation_id: z.string(), name: z.string() }).nullable(),
  }),
})

export const getLoginConfig = defineEndpoint({
  method: 'GET',
  path: '/api/initLogin/aws_config',
  permission: 'public',
  summary:
    'What signing in needs of a cloud: nothing. There is no user pool, no captcha of others and no upload, so these are null, and `sign_in` says where people sign in here and by what',
  input: z.object({}),
  output: z.object({
    region: z.null(),
    user_pool_id: z.null(),
    captcha: z.null(),
    upload: z.null(),
    sign_in: z.object({ path: z.string(), methods: z.array(z.enum(signInMethods)) }),
  }),
})

export const getInvite = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/invite/info',
  permission: 'public',
  summary: 'Who an invitation is for. A POST, so that the invitation stands in no address.',
  input: z.object({ invite: inviteText }),
  output: z.object({ organisation_name: z.string(), name: z.string(), account: z.string(), expires_at: timeMs }),
})

// Passkeys. The options and responses are those of WebAuthn level 3 in their JSON form.
const passkeyOptions = z.object({ challenge_id: z.string(), options: z.record(z.string(), z.unknown()) })
const passkeyResponse = jsonField(
  z.object({
    id: base64url(1400),
    rawId: base64url(1400),
    type: z.literal('public-key'),
    response: z.record(z.string(), z.unknown()),
    clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
    authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  }),
)
const methodLabel = labelText(50)

export const passkeyLoginOptions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/passkey/options',
  permission: 'public',
  summary: 'Begins a sign-in with a passkey.',
  input: z.object({}),
  output: passkeyOptions,
})
export const passkeyLogin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/passkey/verify',
  permission: 'public',
  summary: 'Signs in with a passkey.',
  input: z.object({ challenge_id: idText, response: passkeyResponse }),
  output: signedIn,
})
export const passkeyRegisterOptions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/passkey/register/options',
  permission: 'public',
  summary: 'Begins to register a passkey, by invitation or for whoever is signed in.',
  input: z.object({ invite: inviteText.optional() }),
  output: passkeyOptions,
})
export const passkeyRegister = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/passkey/register/verify',
  permission: 'public',
  summary: 'Registers a passkey; by invitation it also signs in.',
  input: z.object({ invite: inviteText.optional(), challenge_id: idText, response: passkeyResponse, label: methodLabel }),
  output: signedIn,
})

// Account, password and the six digits of an authenticator app (TOTP).
export const passwordLogin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/password/login',
  permission: 'public',
  summary: 'Signs in with account, password and a six-digit code.',
  input: z.object({ account: accountText, password: passwordText, google_code: totpText }),
  output: signedIn,
})
export const passwordRegisterOptions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/password/register/options',
  permission: 'public',
  summary: 'Begins to register a password: gives the secret for the authenticator app.',
  input: z.object({ invite: inviteText.optional() }),
  output: z.object({ challenge_id: z.string(), account: z.string(), totp_secret: z.string(), otpauth_uri: z.string() }),
})
export const passwordRegister = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/password/register/verify',
  permission: 'public',
  summary: 'Registers a password with its authenticator app, proven by a code; replaces an earlier one; by invitation it also signs in.',
  input: z.object({ invite: inviteText.optional(), challenge_id: idText, password: passwordText, google_code: totpText }),
  output: signedIn,
})

// A key that this browser keeps and never shows (WebCrypto, P-256, not extractable). What is signed: see device-message.ts.
const publicKey = z.string().regex(/^[A-Za-z0-9_-]{87}$/, 'it must be an uncompressed P-256 key in base64url')
const signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/, 'it must be an ECDSA signature in base64url')
const deviceOptions = z.object({ challenge_id: z.string(), challenge: z.string() })

export const deviceLoginOptions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/device/options',
  permission: 'public',
  summary: 'Begins a sign-in with the key of this browser.',
  input: z.object({}),
  output: deviceOptions,
})
export const deviceLogin = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/device/verify',
  permission: 'public',
  summary: 'Signs in with the key of this browser.',
  input: z.object({ challenge_id: idText, public_key: publicKey, signature }),
  output: signedIn,
})
export const deviceRegisterOptions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/device/register/options',
  permission: 'public',
  summary: 'Begins to register the key of this browser.',
  input: z.object({ invite: inviteText.optional() }),
  output: deviceOptions,
})
export const deviceRegister = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/device/register/verify',
  permission: 'public',
  summary: 'Registers the key of this browser; by invitation it also signs in.',
  input: z.object({ invite: inviteText.optional(), challenge_id: idText, public_key: publicKey, signature, label: methodLabel }),
  output: signedIn,
})

export const logout = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/logout',
  permission: 'member',
  changes: [],
  summary: 'Ends this session, or all sessions of the person.',
  input: z.object({ everywhere: boolText.default(false) }),
  output: z.null(),
})
export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/session/list',
  permission: 'member',
  staleOn: ['session.changed'],
  summary: 'The open sessions of whoever asks.',
  input: z.object({}),
  output: z.array(
    z.object({
      session_id: z.string(),
      current: z.boolean(),
      ip: z.string(),
      user_agent: z.string(),
      device: z.string(),
      os: z.string(),
      created_at: timeMs,
      last_seen_at: timeMs,
      expires_at: timeMs,
    }),
  ),
})
export const endSession = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/end',
  permission: 'member',
  changes: ['session.changed'],
  summary: 'Ends one of the own sessions.',
  input: z.object({ session_id: z.string().regex(/^[0-9a-f]{64}$/, 'it must be a session of the list') }),
  output: z.null(),
  tenantParameters: ['session_id'],
})
export const endOtherSessions = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/end_others',
  permission: 'member',
  changes: ['session.changed'],
  summary: 'Ends every session of whoever asks but this one.',
  input: z.object({}),
  output: z.object({ ended: z.int() }),
})

const historyFilter = {
  /** One member; whoever may not read the history of others sees their own alone. */
  user_id: idText.optional(),
  result: z.enum(['ok', 'refused']).optional(),
  start_time: timeMsText.optional(),
  end_time: timeMsText.optional(),
}

export const listLoginHistory = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/tools/login/history',
  permission: 'member',
  staleOn: ['session.changed'],
  summary: 'Every sign-in and refused try, newest first: the own ones, or those of all members for who may read them.',
  input: z.object({ ...historyFilter, page_no: pageNumber, page_size: pageSize }),
  output: z.object({
    pageTotal: z.int(),
    has_more: z.boolean(),
    /** Whether the caller may read the history of others. */
    all: z.boolean(),
    people: z.array(z.object({ user_id: z.string(), name: z.string() })),
    list: z.array(
      z.object({
        id: z.string(),
        at: timeMs,
        user_id: z.string(),
        name: z.string(),
        method: z.enum(signInMethods),
        /** Browser and system as far as they can be told from what the browser says of itself; empty if they cannot. */
        device: z.string(),
        os: z.string(),
        app_version: z.string(),
        ip: z.string(),
        /** Nobody looks addresses up, so the place is not known. */
        location: z.string().nullable(),
        result: z.enum(['ok', 'refused']),
        reason: z.string().nullable(),
        /** The reason of a refusal in the caller's language. */
        reason_text: z.string(),
        new_device: z.boolean(),
        /** The person has said that devices of this kind are theirs. */
        trusted: z.boolean(),
        session_state: z.enum(['open', 'ended']).nullable(),
      }),
    ),
  }),
  tenantParameters: ['user_id'],
})

export const exportLoginHistory = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/tools/login/history/export',
  permission: 'member',
  staleOn: [],
  summary: 'The login history as a table of comma-separated values, by the same filters; at most 10,000 rows.',
  input: z.object(historyFilter),
  output: z.object({ file_name: z.string(), content: z.string(), rows: z.int(), complete: z.boolean() }),
  tenantParameters: ['user_id'],
})

export const trustDevice = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/tools/login/trust',
  permission: 'member',
  changes: ['session.changed'],
  summary: 'Says of the device of one of the own sign-ins that it is theirs, or that it is not. It opens nothing: it tells sign-ins apart',
  input: z.object({ id: idText, trusted: boolText }),
  output: z.null(),
  tenantParameters: ['id'],
})

export const listMethods = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/session/methods',
  permission: 'member',
  staleOn: ['session.changed'],
  summary: 'The own ways to sign in.',
  input: z.object({}),
  output: z.array(z.object({ method_id: z.string(), kind: z.enum(signInMethods), label: z.string(), created_at: timeMs, last_used_at: timeMs.nullable() })),
})
export const removeMethod = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/session/method/remove',
  permission: 'member',
  changes: ['session.changed'],
  summary: 'Removes one of the own ways to sign in, but never the last.',
  input: z.object({ method_id: idText }),
  output: z.null(),
  tenantParameters: ['method_id'],
})

export const getUserInfo = defineEndpoint({
  method: 'GET',
  path: '/api/openPlatform/wallet/userInfo',
  permission: 'member',
  staleOn: ['todo.changed'],
  summary: 'Who is signed in, and their workspaces.',
  input: z.object({}),
  output: z.object({
    user_id: z.string(),
    uid: z.string(),
    nick_name: z.string(),
    account: z.string(),
    email: z.string().optional(),
    mobile: z.string().optional(),
    /** 0: nobody asked this person for papers. */
    kyc_status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
    /** Whether an authenticator app is bound. */
    google_bind: z.boolean(),
    language: z.enum(['en_US', 'zh_CN']),
    sso_expire_at: timeMs,
    organisation: z.object({ organisation_id: z.string(), name: z.string() }),
    role: z.string(),
    workspaces: z.array(z.object({ wallet_id: z.string(), wallet_name: z.string(), role: z.string(), same_rights_pri: z.boolean() })),
    unread: z.object({ todo: z.int(), notice: z.int() }),
  }),
})
export const getPermissions = defineEndpoint({
  method: 'GET',
  path: '/api/fund/user/getWallet',
  permission: 'member',
  staleOn: [],
  summary: 'What the person may do, and in which wallets. Whoever gets no answer has no permission.',
  input: z.object({}),
  output: z.object({ pms: z.array(z.string()), wallet_ids: z.array(z.string()) }),
})
