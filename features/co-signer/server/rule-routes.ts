import { AppError, answerPage, type Language, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { networkErrors } from '@holdfast/features/network/errors'
import { currentPolicy } from '@holdfast/features/policy/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { handle, type HandledEndpoint, readTable, requesterIdOf } from '@holdfast/http'
import { machineOfParty } from '@holdfast/policy'
import { newId, uuidToBytes, writeCsv } from '@holdfast/units'
import * as contract from '../contract.ts'
import { coSignerErrors } from '../errors.ts'
import { IMPORT_COLUMNS, type ImportFault, importRules } from './import-rules.ts'
import { standingsOf } from './orders.ts'
import { changePlan, EMPTY_PLAN, type Plan, readPlan, type Rule } from './plan.ts'
import { diffOf, type PlanNames } from './plan-words.ts'
import { demandRules, isAmong, raisedAsBefore, ruleOf, rulesWith, ruleView } from './rules.ts'

const EXAMPLE = ['eip155:1', 'USDT', '500', '', '', '0.002', '0.002', '5', '02:30']

/** The rules of coins, files of them, and addresses that are left out. */
export function ruleEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  return [
    handle(contract.listCollectingRules, ({ orgId }, { wallet_id, chain, keyword = '', page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan, view } = await viewOf(tx, context, wallet_id)
        const found = plan.rules.filter((rule) => (chain === undefined || rule.chain === chain) && rule.symbol.toLowerCase().includes(keyword.toLowerCase()))
        return answerPage({ page_no, page_size }, found.length, found.slice((page_no - 1) * page_size, page_no * page_size).map(view))
      }),
    ),
    handle(
      contract.getCollectingRule,
      ({ orgId }, { wallet_id, chain, symbol }) =>
        db.asOrganisation(orgId, async (tx) => {
          const { plan, view } = await viewOf(tx, context, wallet_id)
          const found = plan.rules.find((rule) => rule.chain === chain && rule.symbol === symbol)
          return found ? view(found) : null
        }),
      'machines too',
    ),
    handle(
      contract.setCollectingRule,
      ({ orgId, requester }, { wallet_id, ...given }) =>
        db.asOrganisation(orgId, async (tx) => {
          const rule = ruleOf(networks, given)
          const requesterId = requesterIdOf(requester)
          const change = { walletId: wallet_id, requesterId, action: 'rules_set' as const }
          return { version: (await changePlan(tx, context, change, (plan) => ({ ...plan, rules: rulesWith(networks, plan.rules, [rule]) }))).version }
        }),
      'machines too',
    ),
    handle(contract.setCollectingRules, ({ orgId, personId }, { wallet_id, rules: given }) =>
      db.asOrganisation(orgId, async (tx) => {
        const rules = given.map((each) => ruleOf(networks, each))
        const change = { walletId: wallet_id, requesterId: personId, action: 'rules_set' as const }
        return { version: (await changePlan(tx, context, change, (plan) => ({ ...plan, rules: rulesWith(networks, plan.rules, rules) }))).version }
      }),
    ),
    handle(contract.removeCollectingRules, ({ orgId, personId }, { wallet_id, symbols }) =>
      db.asOrganisation(orgId, async (tx) => {
        demandRules((await readPlan(tx, wallet_id)).plan.rules, symbols)
        const change = { walletId: wallet_id, requesterId: personId, action: 'rules_removed' as const }
        await changePlan(tx, context, change, (plan) => ({ ...plan, rules: plan.rules.filter((rule) => !isAmong(rule, symbols)) }))
        return {}
      }),
    ),
    handle(contract.operateCollectingRules, ({ orgId, personId }, { wallet_id, symbols, op }) =>
      db.asOrganisation(orgId, async (tx) => {
        demandRules((await readPlan(tx, wallet_id)).plan.rules, symbols)
        const change = { walletId: wallet_id, requesterId: personId, action: op === 'on' ? ('rules_on' as const) : ('rules_off' as const) }
        await changePlan(tx, context, change, (plan) => ({
          ...plan,
          rules: plan.rules.map((rule) => (isAmong(rule, symbols) ? { ...rule, isOn: op === 'on' } : rule)),
        }))
        return {}
      }),
    ),
    handle(contract.downloadCollectingTemplate, async () => ({
      file_name: 'collection-rules.csv',
      content: writeCsv([[...IMPORT_COLUMNS], EXAMPLE]),
    })),
    handle(contract.exportCollecting, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { plan, view } = await viewOf(tx, context, wallet_id)
        const lines = plan.rules.map((rule) => {
          const { chain, symbol, collect_min, single_min, collect_max, fueling_limit, max_fee, max_fee_pct, schedule } = view(rule)
          return [chain, symbol, collect_min, single_min ?? '', collect_max, fueling_limit ?? '', max_fee, String(max_fee_pct), schedule]
        })
        return { file_name: 'collection-rules.csv', content: writeCsv([[...IMPORT_COLUMNS], ...lines]) }
      }),
    ),
    handle(contract.importCollecting, async ({ orgId, personId, language }, { wallet_id, file }) => {
      // A line more than there may be, and the head: the answer says what is wrong with the file as a whole.
      const lines = await readTable(file, { rowsMax: contract.IMPORT_LINES_MAX + 2, columnsMax: 64 })
      return db.asOrganisation(orgId, async (tx) => {
        await readPlan(tx, wallet_id)
        const { rows, rules, errors } = importRules(networks, lines, language)
        const nowMs = ports.clock.nowMs()
        const id = newId(nowMs, ports.random)
        await tx
          .insertInto('collecting_import')
          .values({
            ...{ org_id: tx.orgId, id, wallet_id, lines: JSON.stringify({ rows, rules, errors }), state: 'checked', asked_by: personId },
            ...{ created_at: nowMs, updated_at: nowMs },
          })
          .execute()
        return { import_id: id, rows, errors }
      })
    }),
    handle(contract.getCollectingImport, ({ orgId }, { import_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { state, rows, errors } = await readImport(tx, import_id)
        return { state, rows, errors }
      }),
    ),
    handle(contract.confirmCollectingImport, ({ orgId, personId }, { import_id }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { state, walletId, rules, errors } = await readImport(tx, import_id)
        if (errors.length > 0 || rules.length === 0) throw new AppError(coSignerErrors.collecting_import_wrong)
        if (state === 'taken') throw new AppError('state_changed')
        const nowMs = ports.clock.nowMs()
        await tx
          .updateTable('collecting_import')
          .set({ state: 'taken', updated_at: nowMs })
          .where('org_id', '=', tx.orgId)
          .where('id', '=', import_id)
          .execute()
        const change = { walletId, requesterId: personId, action: 'imported' as const }
        const imported = (plan: Plan) => rulesWith(networks, plan.rules, raisedAsBefore(rules, plan.rules))
        return { version: (await changePlan(tx, context, change, (plan) => ({ ...plan, rules: imported(plan) }))).version }
      }),
    ),
    handle(contract.listBlackAddresses, ({ orgId }, { wallet_id }) =>
      db.asOrganisation(orgId, async (tx) => ({
        list: (await readPlan(tx, wallet_id)).plan.black.map(({ chain, address, reason }) => ({
          ...{ id: `${chain} ${address}`, chain, network: networks.find(chain)?.name ?? chain, address, reason },
        })),
      })),
    ),
    handle(contract.saveBlackAddress, ({ orgId, personId }, { wallet_id, chain, address: given, reason }) =>
      db.asOrganisation(orgId, async (tx) => {
        const network = networks.find(chain)
        if (!network) throw new AppError(networkErrors.unsupported_coin)
        const address = network.codec.canonicalAddress(given)
        if (address === undefined) throw new AppError(networkErrors.invalid_transfer_address)
        const change = { walletId: wallet_id, requesterId: personId, action: 'black_added' as const, remark: reason }
        await changePlan(tx, context, change, (plan) => ({
          ...plan,
          black: [...plan.black.filter((each) => each.chain !== chain || each.address !== address), { chain, address, reason }],
        }))
        return { id: `${chain} ${address}` }
      }),
    ),
    handle(contract.removeBlackAddresses, ({ orgId, personId }, { wallet_id, ids }) =>
      db.asOrganisation(orgId, async (tx) => {
        const change = { walletId: wallet_id, requesterId: personId, action: 'black_removed' as const }
        await changePlan(tx, context, change, (plan) => ({ ...plan, black: plan.black.filter(({ chain, address }) => !ids.includes(`${chain} ${address}`)) }))
        return {}
      }),
    ),
    handle(contract.listCollectingLog, ({ orgId, language }, { wallet_id, page_no, page_size }) =>
      db.asOrganisation(orgId, async (tx) => {
        const { version } = await readPlan(tx, wallet_id)
        const first = version - (page_no - 1) * page_size
        const rows = await tx
          .selectFrom('collecting_plan as p')
          .leftJoin('person', (join) => join.onRef('person.org_id', '=', 'p.org_id').onRef('person.id', '=', 'p.changed_by'))
          .select(['p.version', 'p.document', 'p.action', 'p.remark', 'p.changed_at', 'p.changed_by', 'person.name'])
          .where('p.org_id', '=', tx.orgId)
          .where('p.wallet_id', '=', wallet_id)
          .where('p.version', '<=', first)
          .orderBy('p.version', 'desc')
          // One more, to compare the last one with.
          .limit(page_size + 1)
          .execute()
        const plans = rows.map(({ document }) => document as Plan)
        const { policy } = await currentPolicy(tx)
        const machineName = (id: string) => machineOfParty(policy, uuidToBytes(id))?.name ?? id
        const names = await namesIn(tx, context, language, [...plans, EMPTY_PLAN])
        const list = rows.slice(0, page_size).map(({ version: number, action, remark, changed_at: at, changed_by: by, name }, i) => ({
          ...{ version: number, action, user: name ?? machineName(by), remark, at: Number(at) },
          diff: diffOf(plans[i + 1] ?? EMPTY_PLAN, plans[i] ?? EMPTY_PLAN, names),
        }))
        return answerPage({ page_no, page_size }, version, list)
      }),
    ),
  ]
}

type Shown = NonNullable<OutputOf<typeof contract.getCollectingRule>>

/** The plan of a wallet, and how each of its rules is shown. */
async function viewOf(tx: OrganisationTx, context: ServerContext, walletId: string): Promise<{ plan: Plan; view: (rule: Rule) => Shown }> {
  const { plan } = await readPlan(tx, walletId)
  const { inForce } = (await standingsOf(tx, context, plan)).sweep
  const nowMs = context.ports.clock.nowMs()
  const isApproved = ({ chain, contract: of, collectMin, collectMax }: Rule) => {
    const asset = inForce?.intent.assets.find((each) => each.asset.chain === chain && (each.asset.contract ?? '') === of)
    return asset !== undefined && asset.atLeast <= BigInt(collectMin) && asset.atMost >= BigInt(collectMax)
  }
  return { plan, view: (rule) => ruleView(context.networks, rule, nowMs, isApproved(rule)) }
}

async function readImport(tx: OrganisationTx, id: string) {
  const row = await tx.selectFrom('collecting_import').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  const { rows, rules, errors } = row.lines as { rows: number; rules: Rule[]; errors: ImportFault[] }
  return { state: row.state, walletId: row.wallet_id, rows, rules, errors }
}

/** The names of everything that some versions of a plan are about. */
async function namesIn(tx: OrganisationTx, { networks }: ServerContext, language: Language, plans: readonly Plan[]): Promise<PlanNames> {
  const places = plans.flatMap(({ collect, fuel, scope }) => [...[collect, fuel].flatMap((place) => (place ? [place.subWalletId] : [])), ...scope.subWalletIds])
  const [subWallets, people] = await Promise.all([
    readNamedSubWallets(tx, places),
    tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute(),
  ])
  return { networks, language, subWallets, people: new Map(people.map(({ id, name }) => [id, name])) }
}
