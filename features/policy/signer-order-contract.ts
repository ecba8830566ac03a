import { defineEndpoint, idText, jsonField, remarkText, requestIdText, totpText, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

const named = z.object({ person_id: z.string(), name: z.string() })

/** `followed` is what the signers took; what became of an absence since then stands beside it. */
export const signerOrderStates = ['approving', 'approved', 'followed', 'rejected', 'refused', 'withdrawn', 'expired', 'superseded'] as const

/** An order to the signers themselves: that one of them is away, that freezes are lifted, what the whitelist is, or what is done without asking again. */
export const signerOrderView = z.object({
  id: z.string(),
  intent_hash: z.string(),
  kind: z.enum(['absence', 'lift_freeze', 'address_book', 'standing_order']),
  /** The order in one sentence, in the caller's language. */
  title: z.string(),
  /** The signer that is said to be away, and until when at the latest; null for a lift. */
  party: z.int().nullable(),
  until: z.int().nullable(),
  state: z.enum(signerOrderStates),
  /** Of an absence that the signers followed: in force, ended because that signer is back, over by its time, or unknown while too few signers are connected. */
  standing: z.enum(['in_force', 'back', 'over', 'unknown']).nullable(),
  /** What it waits for or why it ended, in the caller's language; null if there is nothing to say. */
  reason: z.string().nullable(),
  remark: z.string(),
  initiator: named,
  need: z.int(),
  approved: z.array(named),
  rejected: z.array(named),
  waiting: z.array(named),
  /** What the caller can do. */
  mine: z.enum(['decide', 'decided', 'initiator', 'watch']),
  approval_url: z.string(),
  expire_at: z.int(),
  created_at: z.int(),
})

export const getFreezes = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/signing/freezes',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary: 'Who stopped all signing, when and why; empty while nobody has, or all of it is lifted',
  input: z.object({}),
  output: z.object({
    freezes: z.array(z.object({ hash: z.string(), person: named, reason: z.string(), at: z.int() })).describe('The earliest first'),
    lift_open: z.boolean().describe('Whether those who govern have been asked to lift some of it'),
  }),
})

export const getSigningState = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/strategy/signing/info',
  permission: 'policy.read',
  staleOn: ['policy.changed'],
  summary: 'Which signers are connected, which of them is said to be away, and the newest orders to them',
  input: z.object({}),
  output: z.object({
    signers: z.array(z.object({ party: z.int(), name: z.string(), online: z.boolean() })),
    /** The signer that is away by the word of people, as the others say that are connected. */
    away: z.object({ party: z.int(), until: z.int() }).nullable(),
    orders: z.array(signerOrderView),
    /** Where one person stops all signing. */
    stop_url: z.string(),
  }),
})

const asked = { request_id: requestIdText, reason: remarkText(), google_code: totpText.optional() }
const made = z.object({ id: z.string(), intent_hash: z.string(), approval_url: z.string(), idempotent: z.boolean() })

/** A signer is said to be away for so many days at most. */
export const ABSENCE_DAYS_MAX = 30

export const proposeAbsence = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/signing/absence/propose',
  permission: 'policy.propose',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Asks those who govern to say that a signer is away, so that the two others sign without its word until it speaks again or the days are over',
  input: z.object({ ...asked, party: wholeNumberText(1, 3), days: wholeNumberText(1, ABSENCE_DAYS_MAX) }),
  output: made,
})

export const proposeLift = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/signing/lift/propose',
  permission: 'policy.propose',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Asks those who govern to lift freezes, each by its hash, so that the signers sign again',
  input: z.object({
    ...asked,
    freezes: jsonField(
      z
        .array(z.string().regex(/^[0-9a-f]{64}$/))
        .min(1)
        .max(16),
    ),
  }),
  output: made,
})

export const withdrawSignerOrder = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/strategy/signing/order/withdraw',
  permission: 'policy.propose',
  changes: ['policy.changed', 'todo.changed'],
  summary: 'Takes an order to the signers back while it waits for approvals; only who asked for it can',
  input: z.object({ id: idText, remark: remarkText() }),
  output: z.null(),
  tenantParameters: ['id'],
})
