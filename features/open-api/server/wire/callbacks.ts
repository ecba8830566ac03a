import { actForOrganisation, type SystemTx, writtenOnce } from '@holdfast/db'
import { type CallbackInForce, callbacksInForce, readPlatformKey } from '@holdfast/features/api-key/server'
import type { ServerContext } from '@holdfast/features/context'
import { type Manner, openRecordContext, placeMachineEndpoints, storiesOf, tellAll } from '@holdfast/features/notification/server'
import type { Sealer } from '@holdfast/features/session/server'
import type { Subscriber } from '@holdfast/jobs'
import { callbackForm } from '@holdfast/open-wire'
import { callbackStories } from './callback-body.ts'

/** What there is to tell of, and what changes who is told. */
const TOPICS = ['order.changed', 'deposit.changed', 'machine.changed', 'policy.changed']

type Needs = Pick<ServerContext, 'ports' | 'networks'>

/**
 * Turns changes into callbacks of the keys that want them, in the transaction that marks the changes as told. Where a key is called back, stands in its
 * settings in force; here its endpoint is made what those say. Nothing is sent here.
 */
export function callbackSubscriber(needs: Needs): Subscriber {
  return async (tx, events) => {
    const heard = events.filter(({ topic }) => TOPICS.includes(topic))
    const [first] = heard
    if (!first || !(await hasDoorTwo(tx, first.orgId))) return
    const context = await openRecordContext(tx, needs.networks)
    await actForOrganisation(tx, first.orgId, async (own) => {
      const keys = await callbacksInForce(own, needs.ports.clock.nowMs())
      const endpoints = await placeMachineEndpoints(own, needs, keys)
      if (keys.length === 0) return
      const stories = await callbackStories(own, needs, await storiesOf(own, context, heard, [...endpoints.values()]))
      for (const key of keys) {
        const endpoint = endpoints.get(key.machineId)
        if (endpoint)
          await tellAll(
            own,
            needs,
            stories.filter((story) => mayHear(key, story)).map(({ story }) => story),
            [endpoint],
          )
      }
    })
  }
}

const hasDoorTwo = async (tx: SystemTx, orgId: string): Promise<boolean> => (await askDoorTwo(tx, { orgId })).length > 0
const askDoorTwo = writtenOnce((db, { orgId }: { orgId: string }) => db.selectFrom('machine_rsa').select('machine_id').where('org_id', '=', orgId).limit(1))

const mayHear = ({ wallets }: CallbackInForce, { subWalletId }: { subWalletId: string }): boolean => wallets === null || wallets.includes(subWalletId)

/** How keys are called back: `app_id` and `data` in segments of the platform, whose answer is SUCCESS; nothing is sent to a key that is called back no more. */
export const callbackManner = ({ ports }: Pick<ServerContext, 'ports'>, sealer: Sealer): Manner => ({
  of: 'machines',
  open: async (tx, { orgId, machineId, nowMs }) =>
    actForOrganisation(tx, orgId, async (own) => {
      const key = (await callbacksInForce(own, ports.clock.nowMs())).find((each) => each.machineId === machineId)
      const platform = key && (await readPlatformKey(own, sealer, key.machineId))
      if (!key || !platform) return undefined
      return ({ body, attempt }) => ({
        url: key.url,
        raw: callbackForm(key.keyId, { ...(JSON.parse(body) as Record<string, unknown>), attempt, time: nowMs, charset: 'utf-8' }, platform),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'User-Agent': 'Holdfast-Notifications/1' },
        wants: 'SUCCESS',
      })
    }),
})
