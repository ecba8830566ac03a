import {
  boolText,
  defineEndpoint,
  idText,
  jsonField,
  keywordText,
  pageNumber,
  pageSize,
  partOf,
  timeMsText,
  totpText,
  wholeNumberText,
} from '@holdfast/contract'
import { mailStanding } from '@holdfast/features/mail/contract'
import * as z from 'zod'

/** What endpoints can be told of. */
export const SIDES = ['deposit', 'withdraw', 'web3-trans', 'batch', 'collect', 'fuel', 'energy', 'key'] as const
export type Side = (typeof SIDES)[number]
export const NOTIFY_STATES = ['retrying', 'success', 'failed', 'stopped'] as const
export type NotifyState = (typeof NOTIFY_STATES)[number]

export const URL_MAX = 2048
export const ENDPOINTS_MAX = 10
export const RESEND_WINDOW_MS = 3_600_000

const sidesText = jsonField(
  z
    .array(z.enum(SIDES))
    .min(1)
    .refine((sides) => new Set(sides).size === sides.length, 'it was given twice'),
)

const notificationRow = z.object({
  notify_id: z.string(),
  endpoint_id: z.string(),
  side: z.string(),
  event: z.string(),
  /** Rises with each notification of the same record to the same endpoint. */
  seq: z.int(),
  biz_id: z.string().nullable(),
  request_id: z.string().nullable(),
  /** The record's status as it was told. */
  biz_status: z.int().nullable(),
  url: z.string(),
  http_code: z.int().nullable(),
  failure_reason: z.string().nullable(),
  /** The beginning of the endpoint's last answer. Text of a stranger: show it, do nothing else with it. */
  answer: z.string().nullable(),
  duration_ms: z.int().nullable(),
  times: z.int(),
  max_times: z.int(),
  last_at: z.int().nullable(),
  next_at: z.int().nullable(),
  status: z.enum(NOTIFY_STATES),
  /** Why a notification that is to be sent is not: an earlier one of its record, or its endpoint is paused. */
  hold: z.enum(['earlier', 'paused']).nullable(),
  created_at: z.int(),
})

export const listNotifications = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/notify_list',
  permission: 'notification.read',
  staleOn: ['notification.changed'],
  summary: 'Notifications to the organisation’s webhook endpoints, newest first',
  input: z.object({
    wallet_id: idText.optional(),
    endpoint_id: idText.optional(),
    side: z.enum([...SIDES, 'test']).optional(),
    status: z.enum(NOTIFY_STATES).optional(),
    keyword: keywordText.optional(),
    start_time: timeMsText.optional(),
    end_time: timeMsText.optional(),
    after: idText.optional().describe('`next` of the part before'),
    page_no: pageNumber,
    page_size: pageSize,
  }),
  output: partOf(notificationRow).extend({
    /** Of everything the filters leave, whatever its state. `success_rate` from 0 to 1, of what has ended. */
    stat: z.object({ success_rate: z.number().nullable(), p95_ms: z.int().nullable(), failed: z.int(), waiting: z.int() }),
  }),
  tenantParameters: ['wallet_id', 'endpoint_id', 'after'],
})

export const getNotification = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/notify_detail',
  permission: 'notification.read',
  staleOn: ['notification.changed'],
  summary: 'One notification: what was sent, and every answer',
  input: z.object({ notify_id: idText }),
  output: notificationRow.extend({
    /** The headers of the last try. */
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    /** The body as it was sent last. */
    body: z.string(),
    attempts: z.array(
      z.object({
        number: z.int(),
        at: z.int(),
        url: z.string(),
        address: z.string().nullable(),
        duration_ms: z.int().nullable(),
        http_code: z.int().nullable(),
        failure_reason: z.string().nullable(),
        answer: z.string().nullable(),
        answer_cut: z.boolean(),
      }),
    ),
  }),
  tenantParameters: ['notify_id'],
})

const resendInput = z.object({
  notify_id: idText.optional(),
  biz_id: idText.optional().describe('Every failed notification of this record; where none failed, the last one to each endpoint'),
  endpoint_id: idText.optional(),
  start_time: timeMsText.optional(),
  end_time: timeMsText.optional(),
  failed: z.literal('1').optional(),
})
const resendOutput = z.object({ count: z.int() })

export const resendNotification = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/re_notify',
  permission: 'notification.write',
  changes: ['notification.changed'],
  hasEffect: true,
  summary: 'Sends one notification again, those of a record, or every failed one of a window of at most an hour; ten times a minute for each person',
  input: resendInput,
  output: resendOutput,
  tenantParameters: ['notify_id', 'biz_id', 'endpoint_id'],
})
export const resendNotificationPost = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/re_notify',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'The same as the GET of this path',
  input: resendInput,
  output: resendOutput,
  tenantParameters: ['notify_id', 'biz_id', 'endpoint_id'],
})

export const skipNotification = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_skip',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Gives one notification up, so that later ones of its record may go',
  input: z.object({ notify_id: idText }),
  output: z.null(),
  tenantParameters: ['notify_id'],
})

export const getWebhookEndpoints = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/transaction/notify_config',
  permission: 'notification.read',
  staleOn: ['notification.changed'],
  summary: 'The webhook endpoints, the keys that sign, and who changed what',
  input: z.object({}),
  output: z.object({
    receivers: z.array(
      z.object({
        endpoint_id: z.string(),
        url: z.string(),
        app_id: z.string().nullable().describe('Of an address that an API key is called back at: the key, in whose settings it is changed; null for any other'),
        sides: z.array(z.enum(SIDES)),
        confirmations_step: z.int(),
        pause_after: z.int(),
        state: z.enum(['active', 'failing', 'paused', 'auto_paused']),
        /** Failed tries in a row. */
        failures: z.int(),
        failing_since: z.int().nullable(),
        paused_at: z.int().nullable(),
        /** Of one that the server paused: who was told of that by mail, and who was not. */
        letters: z.array(mailStanding),
        waiting: z.int(),
        created_at: z.int(),
      }),
    ),
    keys: z.array(z.object({ key_id: z.string(), public_key: z.string().describe('PEM'), created_at: z.int(), retired_at: z.int().nullable() })),
    changes: z.array(z.object({ at: z.int(), person: z.string().nullable(), action: z.string(), url: z.string().nullable(), old_url: z.string().nullable() })),
    /** Changes need the six digits of the caller's authenticator app. */
    needs_code: z.boolean(),
  }),
})

export const saveWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_config/save',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Adds a webhook endpoint or changes one',
  input: z.object({
    endpoint_id: idText.optional(),
    url: z.string().min(1).max(URL_MAX),
    sides: sidesText,
    confirmations_step: wholeNumberText(0, 1000).default(0),
    pause_after: wholeNumberText(3, 1000).default(20),
    google_code: totpText.optional(),
  }),
  output: z.object({ endpoint_id: z.string() }),
  tenantParameters: ['endpoint_id'],
})

export const pauseWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_config/pause',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Pauses a webhook endpoint, or lets it go on',
  input: z.object({ endpoint_id: idText, paused: boolText }),
  output: z.null(),
  tenantParameters: ['endpoint_id'],
})

export const removeWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_config/remove',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Removes a webhook endpoint; what was not sent to it yet is not sent',
  input: z.object({ endpoint_id: idText, google_code: totpText.optional() }),
  output: z.null(),
  tenantParameters: ['endpoint_id'],
})

export const rotateWebhookKey = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_config/rotate_key',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Makes a new signing key and retires the present one',
  input: z.object({ google_code: totpText.optional() }),
  output: z.object({ key_id: z.string() }),
})

export const testWebhookEndpoint = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/transaction/notify_config/test',
  permission: 'notification.write',
  changes: ['notification.changed'],
  summary: 'Sends a test event to a webhook endpoint, once',
  input: z.object({ endpoint_id: idText }),
  output: z.object({ notify_id: z.string() }),
  tenantParameters: ['endpoint_id'],
})
