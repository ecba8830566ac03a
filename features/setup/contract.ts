import { defineEndpoint, idText, jsonField, labelText, positiveAmountText, wholeNumberText } from '@holdfast/contract'
import * as z from 'zod'

/** How far the founding of the organisation has come. */
export const setupView = z.object({
  setup_id: z.string(),
  name: z.string(),
  demo: z.boolean(),
  state: z.enum(['enrolling', 'accepting', 'pinning', 'ready']),
  /** How many of the members must approve a payment. */
  threshold: z.int(),
  members: z.array(
    z.object({
      person_id: z.string(),
      name: z.string(),
      enrolled: z.boolean(),
      accepted: z.boolean(),
      /** The member's own link to the approval page; shown to whoever sets up, to hand on. */
      approval_url: z.string().nullable(),
      /** Once the organisation is ready: the member's link to choose a way to sign in. */
      sign_in_url: z.string().nullable(),
    }),
  ),
  /** In a demo: the one link that acts for every member. */
  demo_url: z.string().nullable(),
  genesis: z.string().nullable().describe('The genesis document, hexadecimal'),
  fingerprint: z.string().nullable(),
  /** The document in words, line by line, in the caller's language. */
  description: z.array(z.string()),
  signers: z.array(z.object({ party: z.int(), name: z.string(), operator: z.string(), online: z.boolean(), pinned: z.boolean() })),
})

export const getSetupState = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/setup/state',
  permission: 'public',
  staleOn: [],
  summary: 'Whether an organisation can be founded on this server now: its first, one beside a demo, or none',
  input: z.object({}),
  output: z.object({
    founding: z.enum(['first', 'beside_demo', 'closed']),
    demo: z.boolean().describe('This server offers a demo organisation'),
    assets: z.array(z.object({ chain: z.string(), network: z.string(), asset: z.string(), symbol: z.string() })).describe('What limits can be for'),
  }),
})

/**
 * Of each asset: payments of at most `each`, and `day` of them together in a day, need one approver; others up to `large` need as many as the organisation asks
 * for, or any amount where it is null; what is not named is refused.
 */
const foundingTemplate = z.object({
  kind: z.literal('tiers'),
  assets: z
    .array(
      z.object({
        chain: z.string().min(1).max(64),
        asset: z.string().max(128).describe("A contract; empty for the network's own coin"),
        each: positiveAmountText,
        day: positiveAmountText,
        large: positiveAmountText.nullable(),
      }),
    )
    .min(1)
    .max(64),
})

export const createSetup = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/setup/create',
  permission: 'public',
  summary: 'Begins the founding of an organisation; answers a token that only the founder has',
  input: z.object({
    name: labelText(50),
    members: jsonField(z.array(labelText(50)).min(2).max(20)).describe('Names of the founding members'),
    threshold: wholeNumberText(1, 19),
    recovery: jsonField(z.array(z.array(z.string().min(20).max(4096)).min(1).max(16)).length(3))
      .optional()
      .describe('age recipients for the recovery share of signer 1, 2 and 3'),
    recovery_threshold: wholeNumberText(1, 16).optional().describe('How many of those named for a signer must come together to open its share; 1 where absent'),
    template: jsonField(foundingTemplate)
      .optional()
      .describe('Rules to begin with; without them every payment of every asset is decided alike, without limits'),
    demo: z.codec(z.enum(['true', 'false']), z.boolean(), { decode: (text) => text === 'true', encode: (value) => (value ? 'true' : 'false') }),
  }),
  output: z.object({ setup_token: z.string(), setup: setupView }),
})

export const getSetup = defineEndpoint({
  method: 'POST',
  path: '/api/mpc/setup/info',
  permission: 'public',
  summary: 'How far the founding has come. A POST, so that the token stands in no address, and in no log of addresses',
  input: z.object({ setup_token: z.string().regex(/^[0-9a-f]{64}$/, 'it must be the token of the set-up') }),
  output: z.object({ setup: setupView }),
})

export const getOrganisation = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/organization/info',
  permission: 'member',
  staleOn: ['policy.changed', 'member.changed'],
  summary: 'The organisation, its people and its signers',
  input: z.object({}),
  output: z.object({
    organization_id: z.string(),
    name: z.string(),
    demo: z.boolean().describe('It was founded as a demo, and a key of that founding still approves: one browser holds those of several people'),
    fingerprint: z.string(),
    policy_version: z.int(),
    description: z.array(z.string()),
    people: z.array(
      z.object({ person_id: z.string(), name: z.string(), role: z.string(), credentials: z.array(z.object({ kind: z.string(), label: z.string() })) }),
    ),
    signers: z.array(z.object({ party: z.int(), name: z.string(), operator: z.string(), online: z.boolean(), pinned: z.boolean(), locked: z.boolean() })),
    approval_origins: z.array(z.string()),
  }),
})

/** The id of an organisation's member. */
export const personId = idText
