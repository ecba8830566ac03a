import { getSigningState, proposeAbsence } from '@holdfast/features/policy/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import type { FundedOrganisation } from './funded-organisation.ts'

/** Has the people who govern say that a signer is away for a day, and waits until the two others take their word for it. */
export async function sayAway({ alice, bruno, chiara }: Pick<FundedOrganisation, 'alice' | 'bruno' | 'chiara'>, party: number): Promise<void> {
  const request = { request_id: `away-${party}-${crypto.randomUUID()}`, reason: 'its machine is lost', party, days: 1 }
  const { id, intent_hash: hash } = await alice.client.call(proposeAbsence, request)
  for (const member of [bruno, chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, `signer ${party} to be away by the word of people`, async () => {
    const { orders } = await alice.client.call(getSigningState, {})
    return orders.find((order) => order.id === id)?.state === 'followed' ? true : undefined
  })
}
