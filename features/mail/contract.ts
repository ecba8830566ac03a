import { boolText, defineEndpoint } from '@holdfast/contract'
import * as z from 'zod'

export const MAIL_LANGUAGES = ['en-US', 'zh-CN'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/**
 * What e-mails are about: a paused endpoint, an order or a batch that waits, what can still be stopped, a batch that ended, the collection of a wallet, an
 * address short of resources, who decides for whom.
 */
export const MAIL_TOPICS = [
  'receiver_paused',
  'order_waits',
  'order_stoppable',
  'batch_waits',
  'batch_ended',
  'collecting_low_gas',
  'collecting_failed',
  'collecting_stuck',
  'collecting_ending',
  'resource_low',
  'delegation',
] as const
export type MailTopic = (typeof MAIL_TOPICS)[number]

/** `waiting`: it is sent, or tried again. `not_sent` is an end; its reason says why. */
export const MAIL_STATES = ['waiting', 'sent', 'not_sent'] as const

/** What became of an e-mail to one member. */
export const mailStanding = z.object({
  name: z.string(),
  state: z.enum(MAIL_STATES),
  /** Why it was not sent, or why the last try failed: `no_server`, `no_address`, `not_wanted`, or a word on the mail server. */
  reason: z.string().nullable(),
  /** When it was sent, or given up; of one that waits, when it was written. */
  at: z.int(),
})
export type MailStanding = z.output<typeof mailStanding>

export const getOwnMail = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/mail/own/info',
  permission: 'member',
  staleOn: ['mail.changed'],
  summary: 'Whether the caller gets e-mails, where and in which language',
  input: z.object({}),
  output: z.object({
    /** Whether whoever runs the server has set a mail server: without one nothing is sent to anybody. */
    server: z.boolean(),
    wanted: z.boolean(),
    /** The address that the caller has chosen; null if they have chosen none. */
    address: z.string().nullable(),
    /** The account's name where it is an address: it is written to where none is chosen. */
    account_address: z.string().nullable(),
    language: z.enum(MAIL_LANGUAGES),
  }),
})

export const saveOwnMail = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/mail/own/save',
  permission: 'member',
  changes: ['mail.changed'],
  summary: 'Chooses whether the caller gets e-mails, where and in which language',
  input: z.object({
    wanted: boolText,
    address: z.string().trim().max(254).describe('Nothing for the address of the account'),
    language: z.enum(MAIL_LANGUAGES),
  }),
  output: z.null(),
})
