import { defineEndpoint } from '@holdfast/contract'
import * as z from 'zod'

/** What a new organisation does first, in order; a demo ends with the approval, a real one with people who join. */
export const stepNames = ['wallet', 'recovery', 'deposit', 'ask', 'approve', 'pay', 'invite'] as const
export type StepName = (typeof stepNames)[number]

export const getFirstSteps = defineEndpoint({
  method: 'GET',
  path: '/api/mpc/first_steps',
  permission: 'member',
  staleOn: ['wallet.changed', 'deposit.changed', 'balance.changed', 'order.changed', 'todo.changed', 'member.changed'],
  summary: 'What a new organisation does first, and how far this one has come',
  input: z.object({}),
  output: z.object({
    demo: z.boolean().describe('A demo whose recovery drill can be run on this machine: the first steps can be taken for whoever asks'),
    steps: z.array(z.object({ name: z.enum(stepNames), done: z.boolean() })),
    wallet: z.object({ wallet_id: z.string(), name: z.string() }).nullable().describe('The first wallet there is'),
    order: z
      .object({ id: z.string(), approval_url: z.string(), is_waiting: z.boolean().describe('It waits for approvals') })
      .nullable()
      .describe('The first payment that was asked for'),
  }),
})
