import assert from 'node:assert/strict'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { permissionsOf } from '@holdfast/features/session/server'
import type { MemberContext } from '@holdfast/http'
import { lookAt } from '../../../standing-order/server/look.ts'
import { standingOrdersInForce } from '../../../standing-order/server/run-standing-orders.ts'
import { approveSignerOrders } from '../../../testing/approve-signer-orders.ts'
import type { World } from '../../../testing/test-world.ts'
import { feature } from '../index.ts'

/**
 * The calls about collection in an organisation, made by its first member; its approvals by the others; and a look at what its standing orders cover.
 * `demandSecondFactorWhereSet`: what happens while a call asks for the second factor.
 */
export function collectingOf(world: World, demandSecondFactorWhereSet: () => Promise<unknown> = async () => {}) {
  const signersOf = async () => [1n, 2n, 3n].map((party) => ({ party, name: `Signer ${party}` }))
  const endpoints = feature.endpoints?.(world.context, { session: { demandSecondFactorWhereSet, endSession() {} }, signersOf } as never) ?? []
  const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
  return {
    call: async <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> => {
      const handled = endpoints.find((each) => each.endpoint === endpoint)
      assert.ok(handled, endpoint.path)
      const isFile = ([, value]: [string, unknown]) => value instanceof File
      const given = Object.entries(input)
      const texts = Object.fromEntries(given.filter((each) => !isFile(each)))
      const form = { ...parseForm(formEncode(texts), endpoint.maxBodyBytes), ...Object.fromEntries(given.filter(isFile)) }
      const fields = readInput(endpoint, form) as Record<string, unknown>
      const session = { permissions: permissionsOf('owner') }
      const context = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', session } as unknown as MemberContext
      return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
    },
    approve: (pending: readonly { trade_no: string }[]) => approveSignerOrders(world, pending),
    /** One look at every standing order of the organisation. */
    look: async (): Promise<void> => {
      const nowMs = world.context.ports.clock.nowMs()
      for (const each of await inOrganisation((tx) => standingOrdersInForce(tx, nowMs))) await lookAt(world.context, world.orgId as never, each)
    },
  }
}
