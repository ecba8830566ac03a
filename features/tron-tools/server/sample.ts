import { ChainError } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { writeMail } from '@holdfast/features/mail/server'
import { announce, forEachApart, repeat, type Repeating } from '@holdfast/jobs'
import { inertText } from '@holdfast/mail'
import { leftsOf, lowOf } from './monitor.ts'
import { tronPlaces } from './tron-places.ts'

export type SampleNeeds = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'settings'>

const PAUSE_MS = 60_000
const HOUR_MS = 3_600_000
/** Hours that are kept: 30 days. Each hour writes over the one that is as much older. */
const SLOTS = 720

/** Reads what is watched until stopped: every minute, of which the last of each hour stays. */
export function startSampling(needs: SampleNeeds, report: (cause: unknown) => void = () => {}): Repeating {
  return repeat(
    needs.ports.timer,
    PAUSE_MS,
    async (isStopped) => {
      for (const cause of await sampleAll(needs, isStopped)) report(cause)
    },
    report,
  )
}

/** Reads every watched address once, each apart from the others. Answers what failed; a node that does not answer leaves a gap. */
export async function sampleAll(needs: SampleNeeds, isStopped: () => boolean = () => false): Promise<unknown[]> {
  const places = new Map(tronPlaces(needs).map((place) => [place.network.chain, place]))
  const targets = await needs.db.asSystem((tx) =>
    tx.selectFrom('tron_target').select(['org_id', 'chain', 'address']).where('watched', '=', true).orderBy('org_id').orderBy('address').execute(),
  )
  return forEachApart(targets, async ({ org_id: orgId, chain, address }) => {
    const place = places.get(chain)
    if (!place || isStopped()) return
    try {
      const [resources, coin] = await Promise.all([place.stake.resources(address), place.network.node.balance(address, { chain, contract: null })])
      const { energy, bandwidth } = resources.meters
      const read = {
        energy_limit: energy.limit,
        energy_used: energy.used,
        net_limit: bandwidth.limit + resources.free.limit,
        net_used: bandwidth.used + resources.free.used,
        coin,
      }
      await needs.db.asOrganisation(orgId, (tx) => keep(tx, needs, { chain, address, network: place.network.name, read }))
    } catch (cause) {
      if (!(cause instanceof ChainError)) throw cause
    }
  })
}

type Read = { chain: string; address: string; network: string; read: Parameters<typeof leftsOf>[0] }

/** Keeps a reading. Whoever is to be told is told once of what has become low, and again only after it was not low in between. */
async function keep(tx: OrganisationTx, needs: SampleNeeds, { chain, address, network, read }: Read): Promise<void> {
  const nowMs = needs.ports.clock.nowMs()
  const target = await tx
    .selectFrom('tron_target')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('watched', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!target) return
  const slot = Math.floor(nowMs / HOUR_MS) % SLOTS
  await tx
    .insertInto('tron_sample')
    .values({ org_id: tx.orgId, chain, address, slot, at: nowMs, ...read })
    .onConflict((conflict) => conflict.columns(['org_id', 'chain', 'address', 'slot']).doUpdateSet({ at: nowMs, ...read }))
    .execute()
  const low = lowOf(leftsOf(read), { energy: target.energy_min, net: target.net_min, trx: target.coin_min })
  const before = target.low ?? []
  if (low.join() !== before.join()) {
    await tx
      .updateTable('tron_target')
      .set({ ...(low.length === 0 ? { low: null, low_since: null } : { low, low_since: target.low_since ?? nowMs }), updated_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address', '=', address)
      .execute()
  }
  if (low.some((each) => !before.includes(each))) await tell(tx, needs, { address, network, aboutId: target.sub_wallet_id, receivers: target.receivers })
  await announce(tx, needs.ports, 'tron.changed', { target_id: target.id })
}

async function tell(tx: OrganisationTx, needs: SampleNeeds, about: { address: string; network: string; aboutId: string; receivers: readonly string[] }) {
  const general = await tx.selectFrom('tron_receiver').select('person_id').where('org_id', '=', tx.orgId).where('told', '=', true).execute()
  const personIds = about.receivers.length > 0 ? about.receivers : general.map((each) => each.person_id)
  const [network, end] = [inertText(about.network), about.address.slice(-6)]
  await writeMail(tx, needs, {
    topic: 'resource_low',
    aboutId: about.aboutId,
    personIds,
    path: '/mpc/tools/tronResourceMonitor',
    words: {
      'en-US': {
        subject: 'An address is running out of resources',
        text: `An address on ${network} ending in ${end} is below its threshold. The page says what is missing:`,
      },
      'zh-CN': { subject: '地址资源不足', text: `${network} 上尾号为 ${end} 的地址，其资源已低于设定的阈值。缺少的资源请查看页面：` },
    },
  })
}
