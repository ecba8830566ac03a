import { ChainError, endOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { readComments } from '@holdfast/features/deposit-address/server'
import { imitatedBy, knownAs, paidAddresses, readKnownAddresses, selectPaidWithMemo } from '@holdfast/features/known-address/server'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import type { Requester } from '@holdfast/http'
import { besideLines } from '@holdfast/intent'
import { lossOfPayment } from '@holdfast/policy'
import type { OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import { type GivenLine, isPayable, type LineFault, type LineWarning, type ReadLine, readLine } from './read-lines.ts'

type Needs = Pick<ServerContext, 'db' | 'networks'>
export type Checking = { orgId: OrganisationId; requester: Requester; network: Network; asset: NetworkAsset; from: string }

/** So many addresses are asked about at once. */
const ASKED_AT_ONCE = 8

/** What each line says, what is wrong with it, and what to look at: by the file, by what the organisation knows, and by what its network says. */
export async function checkLines(needs: Needs, checking: Checking, given: readonly GivenLine[]): Promise<ReadLine[]> {
  const { orgId, network, asset, from } = checking
  const others = needs.networks.list().filter(({ chain, family }) => chain !== network.chain && family !== network.family)
  const isOfOther = (text: string) => others.some(({ codec }) => codec.canonicalAddress(text) !== undefined)
  const read = given.map((line) => readLine(line, { codec: network.codec, isOfOther, asset, from }))
  const addresses = [...new Set(read.flatMap(({ address }) => (address === null ? [] : [address])))]
  const known = await needs.db.asOrganisation(orgId, (tx) => whatIsKnown(tx, checking, read, addresses))
  const contracts = await contractsAmong(
    network,
    addresses.filter((each) => known.isStrange(each)),
  )
  const beside = besideLines(read.map(({ address, givenAddress }) => ({ to: address ?? givenAddress })))
  return read.map((line, i) => {
    const { address } = line
    if (address === null) return line
    const faults = [...line.faults, ...known.faultsOf(line, address), ...(lossOfPayment(asset, address) ? ['address_lost' as const] : [])]
    const isAlike = known.isPlanted(address) || beside[i]?.alike !== undefined
    const warnings: (LineWarning | false)[] = [
      beside[i]?.same !== undefined && 'duplicate',
      isAlike && 'lookalike',
      contracts.has(address) && 'contract',
      known.isStrange(address) && 'first_seen',
    ]
    return { ...line, faults, warnings: warnings.filter((each) => each !== false) }
  })
}

type KnownOf = { isPlanted(address: string): boolean; isStrange(address: string): boolean; faultsOf(line: ReadLine, address: string): LineFault[] }

/** What the organisation knows of addresses: its own, those it has paid, and those that take no payment without a memo. */
async function whatIsKnown(
  tx: OrganisationTx,
  { orgId, requester, network }: Checking,
  lines: readonly ReadLine[],
  addresses: readonly string[],
): Promise<KnownOf> {
  const { chain, codec } = network
  const payments = lines.flatMap(({ address, memo }) => (address === null ? [] : [{ orgId, address, memo: memo ?? undefined }]))
  const hasMemo = codec.memoMax !== undefined
  const [known, paid, commentFault, noted] = await Promise.all([
    readKnownAddresses({ tx, ...('personId' in requester && requester) }, addresses),
    addresses.length === 0 ? [] : paidAddresses(tx, [...new Set(addresses.map(endOf))]),
    hasMemo ? readComments(tx, chain, payments) : () => null,
    hasMemo ? takingMemos(tx, chain, addresses) : new Set<string>(),
  ])
  const wasPaid = new Set(paid.map(({ address }) => address))
  const isOwn = (address: string) => knownAs(known, address).some((each) => each.kind === 'own')
  return {
    isPlanted: (address) => imitatedBy(known, address) !== undefined,
    isStrange: (address) => !wasPaid.has(address) && !isOwn(address),
    faultsOf: ({ memo }, address) => {
      const fault = commentFault({ orgId, address, memo: memo ?? undefined })
      if (fault !== null) return [fault === 'comment_missing' ? 'memo_missing' : 'memo_wrong']
      return memo === null && noted.has(address) ? ['memo_missing'] : []
    },
  }
}

/** Which addresses were paid with a memo before, or stand in an address book with one. */
async function takingMemos(tx: OrganisationTx, chain: string, addresses: readonly string[]): Promise<Set<string>> {
  const among = sql`any(${[...addresses]}::text[])`
  const { rows } = await sql<{ address: string }>`
    ${selectPaidWithMemo(tx, chain, addresses)}
    union select address from book_entry where org_id = ${tx.orgId} and chains ? ${chain} and address = ${among} and memo <> '' and removed_at is null`.execute(
    tx,
  )
  return new Set(rows.map(({ address }) => address))
}

/** Where contracts run, by what the network's node says. An address of which it does not say counts as one: not knowing is the worse case. */
async function contractsAmong({ node }: Network, addresses: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < addresses.length; from += ASKED_AT_ONCE) {
    await Promise.all(
      addresses.slice(from, from + ASKED_AT_ONCE).map(async (address) => {
        const isContract = await node.isContract(address).catch((cause: unknown) => {
          if (cause instanceof ChainError) return true
          throw cause
        })
        if (isContract) found.add(address)
      }),
    )
  }
  return found
}

/** What the lines that can be paid pay together. */
export const totalOfLines = (lines: readonly ReadLine[]): bigint => lines.filter(isPayable).reduce((sum, { amount }) => sum + amount, 0n)
