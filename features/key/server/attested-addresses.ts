import type { OrganisationTx } from '@holdfast/db'
import { decode, EncodingFault, equalBytes, fromHex, list, struct, toHex } from '@holdfast/encoding'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { namedIn, policyChangeRecordShape, policyShape } from '@holdfast/policy'
import { addressesStatementShape, addressStatementShape, addressTree, openSigned, type Signed, signedShape } from '@holdfast/protocol'
import { RecentMap } from '@holdfast/units'
import { sql } from 'kysely'

/** The three signers' words about addresses that they attested together. */
export const batchShape = struct('holdfast/address-batch/v1', { statements: list(signedShape, 3) })

/** A stored address, and whose it is said to be. */
export type Attestable = { chain: string; address: string; subWalletId: string; path: number[]; number: number }

/** What one of three signers could say alone is nobody's word: one of them may have been replaced since, and with it its key. */
const SIGNERS_MIN = 2
/** All of them. */
const SIGNERS = 3
const KEPT_MAX = 20_000
/** Addresses whose statements were verified once, by everything that the answer depends on. */
const verified = new RecentMap<string, true>(KEPT_MAX)

type Signers = PolicyInForce['signers']
type Batch = { subWalletId: string; chain: string; first: number; count: number; statements: Uint8Array }

/**
 * Those of some stored addresses that the signers attested: at least two of the signers in force, or all three of an earlier version of the policy, state this
 * very address at this very path of a key of the sub-wallet's wallet, and none states another one. Whatever else stands in the database is nobody's address: it is shown to nobody. `inForce` is the policy
 * in force as this transaction has read it; absent, it is asked for.
 */
export async function attestedAddresses<A extends Attestable>(tx: OrganisationTx, rows: readonly A[], inForce?: PolicyInForce): Promise<Set<A>> {
  if (rows.length === 0) return new Set()
  const present = inForce ?? (await currentPolicy(tx))
  const { fingerprint } = present
  const by = present.signers.map(({ signKey }) => toHex(signKey)).join()
  const keyOf = ({ chain, address, subWalletId, path, number }: Attestable) => JSON.stringify([tx.orgId, by, chain, address, subWalletId, path, number])
  const unknown = rows.filter((row) => !verified.has(keyOf(row)) && isPlaced(row))
  if (unknown.length > 0) {
    const signers = signersSoFar(present)
    const keys = await keysOf(tx, [...new Set(unknown.map(({ subWalletId }) => subWalletId))])
    const isOurKey = (subWalletId: string, keyId: Uint8Array) => (keys.get(subWalletId) ?? []).some((each) => equalBytes(each, keyId))
    const firsts = unknown.filter(({ number }) => number === 0)
    const signedFor = await attestationsOf(tx, firsts)
    for (const row of firsts) if (isFirstAttested(row, signedFor(row), { fingerprint, signers, isOurKey })) verified.set(keyOf(row), true)
    const others = unknown.filter(({ number }) => number > 0)
    for (const batch of await batchesOf(tx, others)) {
      const own = others.filter((row) => row.subWalletId === batch.subWalletId && row.chain === batch.chain && isWithin(batch, row))
      const [sample] = own
      const addresses = await addressesOf(tx, batch)
      if (!sample || !isBatchAttested(batch, { addresses, subWallet: sample.path[0], fingerprint, signers, isOurKey })) continue
      for (const row of own) if (row.path[0] === sample.path[0] && addresses[row.number - batch.first] === row.address) verified.set(keyOf(row), true)
    }
  }
  return new Set(rows.filter((row) => verified.has(keyOf(row))))
}

const isPlaced = ({ path, number }: Attestable) => path.length === 2 && path[1] === number
const isWithin = ({ first, count }: Batch, { number }: Attestable) => number >= first && number < first + count

/** What was read of the documents of an organisation, which are the same object until there is another version. */
const soFar = new WeakMap<PolicyInForce, Signers[]>()

/** The signers of every version of the policy, those in force first. */
function signersSoFar(inForce: PolicyInForce): Signers[] {
  const { signers, genesis, policy, policyChanges } = inForce
  // Once a version names signers every later one does.
  if (!namedIn(policy)) return [signers]
  const known = soFar.get(inForce)
  if (known) return known
  const named = policyChanges.map((each) => namedIn(decode(policyShape, decode(policyChangeRecordShape, each).intent.newPolicy)))
  const lists = [signers, genesis.signers, ...named.filter((each) => each !== undefined)]
  const read = [...new Map(lists.map((each) => [each.map(({ signKey }) => toHex(signKey)).join(), each])).values()]
  soFar.set(inForce, read)
  return read
}

type Judging = { fingerprint: Uint8Array; signers: readonly Signers[]; isOurKey: (subWalletId: string, keyId: Uint8Array) => boolean }

function isFirstAttested({ subWalletId, chain, address, path }: Attestable, signed: Signed[], { fingerprint, signers, isOurKey }: Judging): boolean {
  return agree(signers, signed, addressStatementShape, (statement, party) => {
    const isSamePath = statement.path.length === path.length && statement.path.every((index, i) => Number(index) === path[i])
    const isOurs = equalBytes(statement.genesis, fingerprint) && isOurKey(subWalletId, statement.keyId)
    return isOurs && isSamePath && statement.party === party && statement.chain === chain && statement.address === address
  })
}

type BatchJudging = Judging & { addresses: readonly string[]; subWallet: number | undefined }

function isBatchAttested(batch: Batch, { addresses, subWallet, fingerprint, signers, isOurKey }: BatchJudging): boolean {
  if (subWallet === undefined || addresses.length !== batch.count) return false
  const root = addressTree(addresses).root()
  return agree(signers, decode(batchShape, batch.statements).statements, addressesStatementShape, (statement, party) => {
    const isOurs = equalBytes(statement.genesis, fingerprint) && isOurKey(batch.subWalletId, statement.keyId)
    const isPlace = statement.subWallet === BigInt(subWallet) && statement.first === BigInt(batch.first) && statement.count === BigInt(batch.count)
    return isOurs && isPlace && statement.party === party && statement.chain === batch.chain && equalBytes(statement.root, root)
  })
}

/** Whether enough signers of one version signed a statement, and all that ever did say what is wanted. The first of `versions` are those in force. */
function agree<S extends typeof addressStatementShape | typeof addressesStatementShape>(
  versions: readonly Signers[],
  given: readonly Signed[],
  shape: S,
  isWanted: (statement: NonNullable<ReturnType<typeof openSigned<S>>>, party: bigint) => boolean,
): boolean {
  const opened = versions.map((signers) =>
    signers.flatMap(({ party, signKey }) => {
      const signed = given.find((each) => each.party === party)
      const statement = signed && openSigned(shape, signed, signKey)
      return statement ? [{ statement: statement as NonNullable<ReturnType<typeof openSigned<S>>>, party }] : []
    }),
  )
  const isEnough = (opened[0]?.length ?? 0) >= SIGNERS_MIN || opened.some(({ length }) => length === SIGNERS)
  return isEnough && opened.flat().every(({ statement, party }) => isWanted(statement, party))
}

/** What stands with some first addresses, which is read only for those that are not verified yet: it is much longer than the addresses are. */
async function attestationsOf(tx: OrganisationTx, firsts: readonly Attestable[]): Promise<(row: Attestable) => Signed[]> {
  if (firsts.length === 0) return () => []
  const rows = await tx
    .selectFrom('address')
    .select(['chain', 'address', 'attestations'])
    .where('org_id', '=', tx.orgId)
    .where(
      sql<boolean>`(chain, address) in (select * from unnest(${firsts.map(({ chain }) => chain)}::text[], ${firsts.map(({ address }) => address)}::text[]))`,
    )
    .execute()
  const found = new Map(rows.map(({ chain, address, attestations }) => [`${chain} ${address}`, readAttestations(attestations)]))
  return ({ chain, address }) => found.get(`${chain} ${address}`) ?? []
}

/** The statements that stand with a first address. Whatever else stands there is none. */
function readAttestations(stored: unknown): Signed[] {
  if (!Array.isArray(stored)) return []
  return stored.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const { party, message, signature } = each as Record<string, unknown>
    if (typeof party !== 'number' || !Number.isInteger(party) || typeof message !== 'string' || typeof signature !== 'string') return []
    try {
      return [{ party: BigInt(party), message: fromHex(message), signature: fromHex(signature) }]
    } catch (cause) {
      if (cause instanceof EncodingFault) return []
      throw cause
    }
  })
}

async function keysOf(tx: OrganisationTx, subWalletIds: readonly string[]): Promise<Map<string, Uint8Array[]>> {
  const rows = await tx
    .selectFrom('sub_wallet')
    .innerJoin('key_of_wallet', (join) =>
      join.onRef('key_of_wallet.org_id', '=', 'sub_wallet.org_id').onRef('key_of_wallet.wallet_id', '=', 'sub_wallet.wallet_id'),
    )
    .select(['sub_wallet.id', 'key_of_wallet.key_id'])
    .where('sub_wallet.org_id', '=', tx.orgId)
    .where(sql<boolean>`sub_wallet.id = any(${[...subWalletIds]}::uuid[])`)
    .execute()
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, keys]) => [id, keys.map(({ key_id }) => key_id)]))
}

/** The batches that some addresses are said to be of. */
async function batchesOf(tx: OrganisationTx, rows: readonly Attestable[]): Promise<Batch[]> {
  if (rows.length === 0) return []
  const asked = [...Map.groupBy(rows, ({ subWalletId, chain }) => `${subWalletId} ${chain}`).values()].map((own) => {
    const numbers = own.map(({ number }) => number)
    const { subWalletId, chain } = own[0] as Attestable
    return { subWalletId, chain, from: Math.min(...numbers), to: Math.max(...numbers) }
  })
  const { rows: found } = await sql<Batch>`
    select batch.sub_wallet_id as "subWalletId", batch.chain, batch.first, batch.count, batch.statements
    from unnest(${asked.map(({ subWalletId }) => subWalletId)}::uuid[], ${asked.map(({ chain }) => chain)}::text[],
      ${asked.map(({ from }) => from)}::int[], ${asked.map(({ to }) => to)}::int[]) as asked (sub_wallet_id, chain, least, most)
    join address_batch batch on batch.org_id = ${tx.orgId} and batch.sub_wallet_id = asked.sub_wallet_id and batch.chain = asked.chain
      and batch.first <= asked.most and batch.first + batch.count > asked.least`.execute(tx)
  return found.filter((batch) => rows.some((row) => row.subWalletId === batch.subWalletId && row.chain === batch.chain && isWithin(batch, row)))
}

/** The stored addresses of a batch in their order. */
async function addressesOf(tx: OrganisationTx, { subWalletId, chain, first, count }: Batch): Promise<string[]> {
  const rows = await tx
    .selectFrom('address')
    .select('address')
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', subWalletId)
    .where('chain', '=', chain)
    .where('number', '>=', first)
    .where('number', '<', first + count)
    .orderBy('number')
    .execute()
  return rows.map(({ address }) => address)
}
