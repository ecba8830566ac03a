import { defineEndpoint, idListText, idText, jsonField, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

// Who is told by e-mail when collection needs somebody; webhooks tell of the same (features/notification).

/** `low_gas`: coins for fees run out; `failed`: several transfers failed in a day; `stuck`: one is under way for long; `ending`: the approval ends or ended. */
export const COLLECTING_EVENTS = ['low_gas', 'failed', 'stuck', 'ending'] as const
export const collectingEvent = z.enum(COLLECTING_EVENTS)
export type CollectingEvent = z.output<typeof collectingEvent>

const reading = { method: 'GET', permission: 'co_signer.read', staleOn: ['collecting.changed', 'member.changed', 'mail.changed'] } as const
const writing = { method: 'POST', permission: 'co_signer.write', changes: ['collecting.changed'] } as const
const mailAddress = z
  .string()
  .nullable()
  .describe('The e-mail address, as `a***n@acme.example` for who may edit neither receivers nor members; null if it is unknown or none is sent')
const ofWallet = { tenantParameters: ['wallet_id'] } as const

export const listCollectingReceivers = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/notice/receivers',
  summary: 'The members who are told about the collection of a wallet, and where',
  input: z.object({ wallet_id: idText }),
  output: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        type: z.literal('email'),
        name: z.string(),
        target: mailAddress,
        events: z.array(collectingEvent),
      }),
    ),
  }),
})

export const saveCollectingReceiver = defineEndpoint({
  ...writing,
  path: '/api/mpc/auto_collect/notice/receivers/save',
  summary: 'Has a member told of some events by e-mail; webhook endpoints that listen to collection are told of all events, and of every transfer',
  input: z.object({ wallet_id: idText, user_id: idText, events: jsonField(z.array(collectingEvent).min(1).max(4)) }),
  output: z.object({ id: z.string() }),
  tenantParameters: ['wallet_id', 'user_id'],
})

export const removeCollectingReceivers = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/notice/receivers/delete',
  summary: 'Members who are not told any more',
  input: z.object({ wallet_id: idText, ids: idListText() }),
  output: z.object({}),
})

const notice = {
  fuel_days: z.int().describe('Told once the coins for fees of a network last for fewer days'),
  failed_times: z.int().describe('Told once so many transfers failed within a day'),
  stuck_minutes: z.int().describe('Told once a transfer is under way for so long'),
}

export const getCollectingNotices = defineEndpoint({
  ...reading,
  ...ofWallet,
  path: '/api/mpc/auto_collect/notice/config',
  summary: 'From when on receivers are told',
  input: z.object({ wallet_id: idText }),
  output: z.object(notice),
})

export const saveCollectingNotices = defineEndpoint({
  ...writing,
  ...ofWallet,
  path: '/api/mpc/auto_collect/notice/config/save',
  summary: 'Says from when on receivers are told',
  input: z.object({
    wallet_id: idText,
    fuel_days: wholeNumberText(1, 90),
    failed_times: wholeNumberText(1, 1000),
    stuck_minutes: wholeNumberText(5, 10_080),
  }),
  output: z.object({}),
})
