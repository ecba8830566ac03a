import {
  boolText,
  defineEndpoint,
  idText,
  jsonField,
  pageNumber,
  pageOf,
  pageSize,
  remarkText,
  requestIdText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import * as z from 'zod'

const keyKind = z.enum(['ecdsa', 'taproot', 'ed25519'])
const namedKey = { key_kind: keyKind.optional().describe('Which key of the wallet; to be given where it has several') }

export const getRecoveryKit = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/sub_wallet/export/info',
  permission: 'key.kit',
  staleOn: ['wallet.changed'],
  summary: 'The recovery kit of a wallet: sealed shares of each of its keys and all that is needed to check them',
  input: z.object({ wallet_id: idText }),
  output: z.object({
    /** Of the wallet as a whole: what stands here, each key in use has reached. */
    state: z.enum(['none', 'written', 'verified']),
    epoch: z.string().describe('Of the first key'),
    kit: z.string().nullable().describe('The kit, base64; one file for all keys of the wallet'),
    file_name: z.string(),
    instructions: z.string().nullable().describe('A page to print that says how to use this kit, HTML in both languages'),
    kit_hash: z.string().nullable(),
    verified_at: z.int().nullable(),
    next_drill_at: z.int().nullable(),
    demo_drill: z.boolean().describe('A demo whose recovery identities lie on this machine: the drill can be run for whoever asks'),
    curves: z.array(z.enum(['secp256k1', 'ed25519'])),
    keys: z.array(
      z.object({
        key_kind: keyKind,
        key_id: z.string(),
        epoch: z.string(),
        state: z.enum(['none', 'written', 'verified']),
        verified_at: z.int().nullable(),
        retired: z.boolean(),
      }),
    ),
    /** The newest order to export a key of the wallet; null if nobody has asked. */
    export: z.object({ item_id: z.string(), state: z.int().min(1).max(4), usable_from: z.int(), usable_until: z.int() }).nullable(),
  }),
  tenantParameters: ['wallet_id'],
})

export const submitDrill = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/export/drill',
  permission: 'key.kit',
  changes: ['wallet.changed'],
  summary: 'Takes the proof, signed by each rebuilt key itself, that a kit rebuilds the keys of a wallet; opens deposits',
  input: z.object({
    wallet_id: idText,
    drill: z
      .string()
      .max(8192)
      .regex(/^[A-Za-z0-9+/=\s]+$/, 'it must be the drill record that the recovery tool wrote'),
  }),
  output: z.object({ verified_at: z.int(), next_drill_at: z.int() }),
  tenantParameters: ['wallet_id'],
})

export const runDemoDrill = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/export/drill/demo',
  permission: 'key.kit',
  changes: ['wallet.changed'],
  summary: 'Of a demo organisation alone: has the recovery tool rebuild the key on this machine, and takes the proof',
  input: z.object({ wallet_id: idText }),
  output: submitDrill.output,
  tenantParameters: ['wallet_id'],
  timeoutMs: 90_000,
})

const named = z.object({ person_id: z.string(), name: z.string() })
export const keyChangeStates = ['approving', 'approved', 'active', 'done', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded'] as const
export const changeSteps = ['reshare', 'setup_1_2', 'setup_1_3', 'setup_2_3', 'attest', 'activate', 'kit', 'export', 'retire'] as const

const keyChangeSummary = z.object({
  id: z.string(),
  intent_hash: z.string(),
  wallet_id: z.string(),
  wallet_name: z.string(),
  action: z.enum(['refresh', 'repair', 'export', 'retire']),
  /** Of a repair: the signer that gets a share again. */
  party: z.int().nullable(),
  /** The server proposed it on its schedule. */
  scheduled: z.boolean(),
  /** Of an export: from when the signers follow it; null if nobody has to wait. */
  usable_from: z.int().nullable(),
  /** Of an export: who holds the recipient that each signer seals its share to. */
  holders: z.array(
    z.object({ party: z.int(), person_id: z.string(), name: z.string(), recipient: z.string(), fingerprint: z.string(), accepted: z.boolean() }),
  ),
  from_epoch: z.int(),
  to_epoch: z.int(),
  state: z.enum(keyChangeStates),
  /** Why it ended as it did, or what it waits for; null if there is nothing to say. */
  reason: z.string().nullable(),
  initiator: named,
  quorum: z.object({ need: z.int(), approved: z.array(named), rejected: z.array(named), waiting: z.array(named) }),
  /** What the caller can do: decide, or only watch. */
  mine: z.enum(['decide', 'decided', 'initiator', 'watch']),
  steps: z.array(z.object({ name: z.enum(changeSteps), state: z.enum(['waiting', 'running', 'done', 'failed']), at: z.int().nullable() })),
  approval_url: z.string(),
  expire_at: z.int(),
  created_at: z.int(),
})

/** A signer and one key, as far as it can be asked now: which epoch it signs with, one that is ready to follow, and those it still keeps. */
const signerState = z.object({
  party: z.int(),
  name: z.string(),
  operator: z.string(),
  online: z.boolean(),
  active: z.int().nullable(),
  staged: z.int().nullable(),
  former: z.array(z.int()),
})

const keyList = {
  method: 'GET',
  permission: 'key.kit',
  staleOn: ['wallet.changed'],
  summary: "Every wallet's key: its kind and epoch, what each signer has of it, and how far its recovery is proven",
  input: z.object({ wallet_id: idText.optional(), page_no: pageNumber, page_size: pageSize }),
  output: pageOf(
    z.object({
      wallet_id: z.string(),
      wallet_name: z.string(),
      key_id: z.string(),
      key_kind: keyKind,
      /** The wallet has no other key. */
      is_only: z.boolean(),
      protocol: z.string(),
      epoch: z.int(),
      ready: z.boolean(),
      kit_state: z.enum(['none', 'written', 'verified']),
      verified_at: z.int().nullable(),
      next_drill_at: z.int().nullable(),
      drill_due: z.boolean(),
      /** Whether new deposit addresses are given out. */
      deposits_open: z.boolean(),
      retired: z.boolean(),
      /** Taken out of use by an order that ended before all three signers had said so: it is to be proposed again. */
      retirement_open: z.boolean(),
      drill_due_soon: z.boolean(),
      checked_at: z.int().nullable(),
      /** Why the last check of the shares failed; null if it did not. */
      check_fault: z.string().nullable(),
      /** The signer the failure is about, where one is known. */
      check_party: z.int().nullable(),
      /** Who asked for the last check; null if it was the schedule. */
      check_asked_by: z.string().nullable(),
      next_check_at: z.int().nullable(),
      /** When the present shares become old enough for the server to propose new ones; null if it never does. */
      refresh_due_at: z.int().nullable(),
      signers: z.array(signerState),
      /** The order that is on its way, or whose old shares are still kept. */
      change: keyChangeSummary.nullable(),
    }),
  ),
  tenantParameters: ['wallet_id'],
} as const

const shareCheck = {
  method: 'POST',
  permission: 'key.kit',
  changes: ['wallet.changed'],
  summary: 'Has the three signers of a key show each other now that each still has its share',
  input: z.object({ wallet_id: idText, ...namedKey }),
  /** `fault` is null if all three showed that they have their shares. */
  output: z.object({ fault: z.string().nullable(), party: z.int().nullable() }),
  tenantParameters: ['wallet_id'],
} as const

export const listKeys = defineEndpoint({ ...keyList, path: '/api/mpc/key/share/list' })
export const checkKeyShares = defineEndpoint({ ...shareCheck, path: '/api/mpc/key/share/verify' })

/** The paths that programs of releases before this one call. */
export const listKeysAsBefore = defineEndpoint({ ...keyList, path: '/api/mpc/key/list' })
export const checkKeySharesAsBefore = defineEndpoint({ ...shareCheck, path: '/api/mpc/key/check' })

export const reminderKinds = ['drill_first', 'drill_soon', 'drill_overdue', 'check_failed', 'check_late', 'export_accept', 'export_ready'] as const

export const listKeyReminders = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/key/reminders',
  permission: 'approval.read',
  staleOn: ['wallet.changed'],
  summary:
    'What is to be done about keys that no approval page asks for: drills that are due, checks of shares that failed or are late, and the exports that name the caller',
  input: z.object({}),
  output: z.object({
    list: z.array(
      z.object({
        wallet_id: z.string(),
        wallet_name: z.string(),
        /** The key it is about, where the wallet has several and it is about one of them. */
        key_kind: keyKind.nullable(),
        kind: z.enum(reminderKinds),
        /** Since when, or of `drill_soon` until when. */
        at: z.int().nullable(),
        party: z.int().nullable(),
        /** Of an export: the order. */
        item_id: z.string().nullable(),
      }),
    ),
  }),
})

/** An order that was proposed, or had been by the same request. */
const proposed = z.object({ id: z.string(), intent_hash: z.string(), approval_url: z.string(), idempotent: z.boolean() })

export const proposeKeyChange = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/key_change/propose',
  permission: 'key.recover',
  changes: ['wallet.changed', 'todo.changed'],
  summary: 'Proposes new shares for a key: a refresh of all three, or the repair of one signer; it becomes nothing without approvals',
  input: z.object({
    request_id: requestIdText,
    wallet_id: idText,
    ...namedKey,
    action: z.enum(['refresh', 'repair']),
    party: z.coerce.number().int().min(1).max(3).optional().describe('Of a repair: the signer that lost its share'),
    google_code: totpText.optional(),
  }),
  output: proposed,
  tenantParameters: ['wallet_id'],
})

export const listKeyChanges = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/key_change/list',
  permission: 'key.recover',
  staleOn: ['wallet.changed'],
  summary: 'Every order for new shares of a key, newest first',
  input: z.object({ page_no: pageNumber, page_size: pageSize }),
  output: pageOf(keyChangeSummary),
})

export const getKeyChange = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/key_change/info',
  permission: 'key.recover',
  staleOn: ['wallet.changed'],
  summary: 'One order for new shares: how far each step and each signer is, its story and its signed proof',
  input: z.object({ id: idText }),
  output: keyChangeSummary.extend({
    signers: z.array(signerState),
    timeline: z.array(z.object({ state: z.string(), actor: z.string(), reason: z.string().nullable(), at: z.int() })),
    /** The intent and, once given, the words of all three signers on the new epoch, hexadecimal. */
    intent: z.string(),
    statements: z.string().nullable(),
  }),
  tenantParameters: ['id'],
})

export const withdrawKeyChange = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/key_change/withdraw',
  permission: 'key.recover',
  changes: ['wallet.changed', 'todo.changed'],
  summary: 'Takes an order for new shares back while it waits for approvals; only who proposed it can',
  input: z.object({ id: idText, remark: remarkText() }),
  output: z.null(),
  tenantParameters: ['id'],
})

const holder = z.object({ party: z.int().min(1).max(3), person_id: z.uuid(), recipient: z.string().trim().min(1).max(4096) })

export const applyForExport = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/sub_wallet/export/apply',
  permission: 'key.recover',
  changes: ['wallet.changed', 'todo.changed'],
  summary: 'Asks to export a key: each signer seals its share to one recipient of another person; after approvals and a delay, nothing before',
  input: z.object({
    request_id: requestIdText,
    wallet_id: idText,
    ...namedKey,
    reason: remarkText(),
    holders: jsonField(z.array(holder).min(2).max(3)),
    google_code: totpText.optional(),
  }),
  output: proposed,
  tenantParameters: ['wallet_id'],
})

export const proposeRetirement = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/key/retire',
  permission: 'key.recover',
  changes: ['wallet.changed', 'todo.changed'],
  summary: 'Asks to retire a key: the signers sign nothing with it any more, and it gets no new addresses',
  input: z.object({
    request_id: requestIdText,
    wallet_id: idText,
    ...namedKey,
    reason: remarkText(),
    leave_holdings: boolText.optional().describe('What is still in the wallet is left to the recovery tool'),
    google_code: totpText.optional(),
  }),
  output: proposed,
  tenantParameters: ['wallet_id'],
})

/** 1 asked for and being approved, 2 approved and waiting, 3 ready, 4 over. */
const exportState = z.int().min(1).max(4)

export const getExport = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/apply/view/pri/detail',
  permission: 'approval.read',
  staleOn: ['wallet.changed'],
  summary: 'An order to export a key: who asked, who decides, whose recipients it names, and for these the sealed file once there is one',
  input: z.object({ item_id: idText }),
  output: z.object({
    item_id: z.string(),
    wallet_id: z.string(),
    wallet_name: z.string(),
    applicant: named,
    reason: z.string(),
    nodes: z.array(z.object({ no: z.int(), need: z.int(), approved: z.array(named), rejected: z.array(named), waiting: z.array(named) })),
    state: exportState,
    order_state: z.enum(keyChangeStates),
    usable_from: z.int(),
    usable_until: z.int(),
    holders: keyChangeSummary.shape.holders,
    /** The caller is named as a recipient and has not said yet whether it is theirs. */
    must_accept: z.boolean(),
    approval_url: z.string(),
    /** For those named in it and who asked: the sealed shares, base64. The recovery tool reads it. */
    file: z.object({ name: z.string(), size: z.int(), sha256: z.string(), kit: z.string(), made_at: z.int() }).nullable(),
    audit: z.array(z.object({ state: z.string(), actor: z.string(), reason: z.string().nullable(), at: z.int() })),
  }),
  tenantParameters: ['item_id'],
})

export const acceptExport = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/user/accept/same_rights_pri/item',
  permission: 'approval.read',
  changes: ['wallet.changed', 'todo.changed'],
  summary: 'Says that the recipient an export names for the caller is theirs (1), or that it is not (2), which ends the export',
  input: z.object({ item_id: idText, result: wholeNumberText(1, 2) }),
  output: z.null(),
  tenantParameters: ['item_id'],
})

export const getRecoveryTool = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/desktop/tool/download/url',
  permission: 'approval.read',
  staleOn: [],
  summary: 'Where a copy of the offline recovery tool is, and the command that makes it as one file',
  input: z.object({ os: z.enum(['win', 'mac', 'linux']).optional() }),
  output: z.object({ url: z.string().nullable(), sha256: z.string().nullable(), command: z.string(), offline_only: z.literal(true) }),
})
