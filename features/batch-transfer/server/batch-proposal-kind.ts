import { approvalUrl } from '@holdfast/features/approval-url'
import type { DescribedItem } from '@holdfast/features/proposal/contract'
import { countedIn, expiresSoon, nameDeciders, peopleAmong, type ProposalKind, type Quorum, type Viewer } from '@holdfast/features/proposal/server'
import { readApprovals, readMachineWords } from '@holdfast/features/evidence/server'
import { quorumOfBatch, ruleByScreening } from '@holdfast/features/transfer/server'
import { policyOf } from '@holdfast/features/policy/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { seatOf } from '@holdfast/intent'
import { lockSubWallets } from '@holdfast/ledger'
import { fillSteps, findSpeaker, machineOfParty, partyOfMachine, type Policy } from '@holdfast/policy'
import { at, bytesToUuid, formatAmount, known, uuidToBytes } from '@holdfast/units'
import { requesterNames } from './batch-view.ts'
import { announceBatch, type Batch, batchOf, costFrom, moveBatch, readBatchRow } from './move-batch.ts'
import { pokeBatches } from './run-batches.ts'
import { titleOf } from './words.ts'

/** Batches, as people decide them: by approvals of the whole, and by a no of one of them also after that. */
export const batchProposalKind: ProposalKind<Batch> = {
  kinds: ['batch'],
  todo: describeBatches,
  decidedBy: {
    read: async (tx, id, lock) => batchOf(await readBatchRow(tx, id, lock)),
    quorums: (batch, policy) => quorumsOf(batch, policy),
    // Whoever may approve it may stop the rest, as long as there is one.
    canStop: ({ row }) => row.state === 'approved',
    lockBeforeLog: (tx, { row }) => lockSubWallets(tx, [row.sub_wallet_id]),
    keepPlace: async (tx, { row, places }, { personId, sequence }) => {
      await tx
        .updateTable('batch_transfer')
        .set({ places: JSON.stringify({ ...places, words: { ...places.words, [personId]: sequence } }) })
        .where('org_id', '=', tx.orgId)
        .where('id', '=', row.id)
        .execute()
    },
    decided: async (tx, needs, { row }, { verdict, remark }) => {
      const state = verdict === 'approved' ? ('approved' as const) : row.state === 'approved' ? ('stopped' as const) : ('rejected' as const)
      return (await moveBatch(tx, needs, row, { state, reason: remark })).state
    },
    screened: async (tx, { ports }, { row, intent }, { policy, kept }) => {
      const ruleId = await ruleByScreening(tx, policy, { intent, ruleId: row.rule_id, kept }, ports.clock.nowMs())
      if (ruleId === row.rule_id) return
      await nameDeciders(tx, row.id, peopleAmong(policy, quorumOfBatch(intent, policy, ruleId)?.eligible ?? []))
      await tx.updateTable('batch_transfer').set({ rule_id: ruleId }).where('org_id', '=', tx.orgId).where('id', '=', row.id).execute()
    },
    announce: (tx, needs, { row }) => announceBatch(tx, needs, row, { balance: false, todo: true }),
    poke: pokeBatches,
    page:
      async (_tx, _context, { row }) =>
      async () => ({ rule: row.rule_id }),
  },
}

function quorumsOf({ intent, row }: Batch, policy: Policy): Quorum[] {
  const quorum = quorumOfBatch(intent, policy, row.rule_id)
  return quorum ? [{ directory: policy, ...quorum }] : []
}

/** The numbers by which lists and webhooks tell a state, as those of payment orders. */
export const BATCH_STATUS = {
  checked: 1000,
  approving: 1000,
  approved: 1200,
  finished: 2000,
  rejected: 2100,
  stopped: 2100,
  cancelled: 2202,
  expired: 2202,
  superseded: 2202,
} as const

async function describeBatches(viewer: Viewer, ids: readonly string[]): Promise<DescribedItem[]> {
  const { tx, context, language, personId, nowMs } = viewer
  const batches: Batch[] = []
  for (const id of ids) batches.push(known(batchOf(await readBatchRow(tx, id)), `the order of batch ${id}`))
  const places = await readNamedSubWallets(
    tx,
    batches.map(({ row }) => row.sub_wallet_id),
  )
  const nameOf = await requesterNames(tx)
  const items: DescribedItem[] = []
  for (const batch of batches) {
    const { row, intent } = batch
    const place = known(places.get(row.sub_wallet_id), `sub-wallet ${row.sub_wallet_id}`)
    const progress = await progressOf(viewer, batch)
    const isOpen = row.state === 'approving'
    const amount = formatAmount(at(costFrom(intent, 0), 0).amount, Number(intent.asset.decimals))
    const network = context.networks.find(row.chain)?.name ?? row.chain
    const initiator = { person_id: row.initiator, name: nameOf(row.initiator) }
    items.push({
      item_id: row.id,
      kind: 'batch',
      biz_id: row.id,
      title: titleOf({ name: initiator.name, amount, symbol: row.symbol, lines: intent.lines.length, network }, language),
      ...{ wallet_id: row.wallet_id, sub_wallet_id: row.sub_wallet_id, wallet_name: place.wallet_name, sub_wallet_name: place.sub_wallet_name },
      ...{ symbol: row.symbol, chain: row.chain, network, amount, worth: null, lines: intent.lines.length, remark: row.remark, initiator },
      node: { ...progress.node, waiting_for: isOpen ? progress.waiting : [] },
      mine:
        row.initiator === personId
          ? 'initiator'
          : progress.spoken.includes(personId)
            ? 'decided'
            : isOpen && progress.eligible.includes(personId)
              ? 'decide'
              : 'watch',
      state: isOpen ? 'wait' : 'done',
      status: BATCH_STATUS[row.state],
      sub_status: row.state,
      risk: isOpen && expiresSoon(Number(row.expires_at), nowMs) ? ['expires_soon'] : [],
      approval_url: approvalUrl(context, row.intent_hash),
      expire_at: Number(row.expires_at),
      created_at: Number(row.created_at),
    })
  }
  return items
}

/** How far people are with a batch, by the policy under which it was asked for. */
async function progressOf({ tx }: Viewer, batch: Batch) {
  const { row, intent } = batch
  const policy = await policyOf(tx, known(row.policy_version ?? undefined, `the policy of batch ${row.id}`))
  const [quorum] = quorumsOf(batch, policy)
  const [words, machines] = await Promise.all([readApprovals(tx, row.intent_hash), readMachineWords(tx, row.intent_hash)])
  const machinesThat = (decision: string) =>
    machines.filter(({ signed }) => signed.decision === decision).map(({ signed }) => partyOfMachine({ id: signed.machine }))
  const [willing, against] = [[...machinesThat('approve'), ...machinesThat('ask')], machinesThat('reject')]
  const spoken = [
    ...words.flatMap(({ personId, approval }) => [personId as string, bytesToUuid(seatOf(approval))]),
    ...[...willing, ...against].map(bytesToUuid),
  ]
  if (!quorum) return { node: { no: 1, total: 1, need: 0, done: 0 }, waiting: [], spoken, eligible: [] }
  const approvals = words.map(({ approval }) => approval).filter(({ decision }) => decision === 'approve')
  const approved = [...countedIn(quorum, approvals, intent, policy).map(seatOf), ...willing]
  const { filled, missing } = fillSteps(quorum.steps, approved)
  const open = quorum.steps.findIndex(({ need }, i) => at(filled, i).length < need)
  const people = [...new Set(quorum.steps.flatMap(({ eligible }) => eligible.map(bytesToUuid)))]
  const isNeeded = (id: string) => !spoken.includes(id) && fillSteps(quorum.steps, [...approved, uuidToBytes(id)]).missing < missing
  // A machine signs that it asks also where it is no step of the rule.
  const asker = machineOfParty(policy, intent.initiator)?.kind === 'api' && machinesThat('ask').length === 0 ? [bytesToUuid(intent.initiator)] : []
  const total = quorum.steps.length
  return {
    node: { no: (open < 0 ? total - 1 : open) + 1, total, need: quorum.threshold, done: quorum.threshold - missing },
    waiting: [...new Set([...asker, ...people.filter(isNeeded)])].map((id) => findSpeaker(policy, uuidToBytes(id))?.name ?? id),
    spoken,
    eligible: quorum.eligible.map(bytesToUuid),
  }
}
