import { endOf, startOf } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes, toHex } from '@holdfast/encoding'
import type { Network } from '@holdfast/features/network/server'
import { currentPolicy, type PolicyInForce } from '@holdfast/features/policy/server'
import { derivePublicKey, deriveSiblings } from '@holdfast/mpc'
import {
  type AddressesStatement,
  addressesStatementShape,
  type AddressStatement,
  addressStatementShape,
  addressTree,
  openSigned,
  type Signed,
  signerCalls,
} from '@holdfast/protocol'
import { at } from '@holdfast/units'
import type { KeyNeeds } from './make-key.ts'
import { signsOn, type WalletKeyRow } from './read-key.ts'
import { SignerMismatchError } from './signer-mismatch.ts'

type MissingAddress = { subWalletId: string; path: [number, number]; network: Network }

/** The first address of a sub-wallet on a network, m/number/0: it is made with the sub-wallet, others when somebody asks for them. */
export const pathOf = (subWalletNumber: number): [number, number] => [subWalletNumber, 0]

/**
 * Derives the address that each sub-wallet of a wallet still lacks on a network of a key, and has all three signers attest it from
 * their own shares. Answers how to write them. Throws SignerMismatchError if a signer derives another address than we do.
 */
export async function attestAddresses(
  needs: KeyNeeds,
  orgId: string,
  key: WalletKeyRow,
  inForce: PolicyInForce,
): Promise<(tx: OrganisationTx) => Promise<void>> {
  const missing = await needs.db.asOrganisation(orgId, (tx) => missingAddresses(tx, needs, key))
  const rows: { wanted: MissingAddress; address: string; statements: Signed[] }[] = []
  for (const wanted of missing) rows.push({ wanted, ...(await attestOne(needs, key, inForce, wanted)) })
  return async (tx) => {
    const nowMs = needs.ports.clock.nowMs()
    for (const { wanted, address, statements } of rows) {
      await tx
        .insertInto('address')
        .values({
          org_id: tx.orgId,
          chain: wanted.network.chain,
          address,
          address_end: endOf(address),
          address_start: startOf(address),
          sub_wallet_id: wanted.subWalletId,
          path: wanted.path,
          label: null,
          created_at: nowMs,
          attestations: JSON.stringify(
            statements.map((each) => ({ party: Number(each.party), message: toHex(each.message), signature: toHex(each.signature) })),
          ),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
}

/**
 * What sub-wallets of a wallet lack of one of its keys: an address for each network on which this key signs and whose own coin the policy names.
 * On any other nothing could be paid.
 */
export async function missingAddresses(
  tx: OrganisationTx,
  { networks }: Pick<KeyNeeds, 'networks'>,
  key: Pick<WalletKeyRow, 'walletId' | 'protocol' | 'walletProtocols'>,
): Promise<MissingAddress[]> {
  const { policy } = await currentPolicy(tx)
  const isPinned = ({ chain }: Network) => policy.assets.some((asset) => asset.chain === chain && asset.contract === null)
  const served = networks.list().filter((network) => signsOn(key, network.chain) && isPinned(network))
  const subWallets = await tx
    .selectFrom('sub_wallet')
    .select(['id', 'number'])
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', key.walletId)
    .orderBy('number')
    .execute()
  if (subWallets.length === 0) return []
  const present = await tx
    .selectFrom('address')
    .select(['sub_wallet_id', 'chain'])
    .where('org_id', '=', tx.orgId)
    .where('number', '=', 0)
    .where(
      'sub_wallet_id',
      'in',
      subWallets.map((each) => each.id),
    )
    .execute()
  const have = new Set(present.map((each) => `${each.sub_wallet_id}|${each.chain}`))
  return subWallets.flatMap(({ id, number }) =>
    served.filter((network) => !have.has(`${id}|${network.chain}`)).map((network) => ({ subWalletId: id, path: pathOf(number), network })),
  )
}

/** Addresses of one sub-wallet on a network, from number `first` on. */
export type AddressRange = { network: Network; subWallet: number; first: number; count: number }

/**
 * Derives up to `ADDRESSES_AT_ONCE` addresses and has all three signers attest them together from their own shares. Throws SignerMismatchError if a signer
 * derives others than we do.
 */
export async function attestRange(
  { coSigners }: Pick<KeyNeeds, 'coSigners'>,
  key: WalletKeyRow,
  inForce: PolicyInForce,
  { network, subWallet, first, count }: AddressRange,
): Promise<{ addresses: string[]; statements: Signed[] }> {
  const { keyId, epoch, protocol, publicKey, chainCode } = key
  if (!publicKey || !chainCode) throw new Error('the key has no public key yet')
  const asked = { genesis: inForce.fingerprint, keyId, chain: network.chain, subWallet: BigInt(subWallet), first: BigInt(first), count: BigInt(count) }
  const asking = Promise.all(
    inForce.signers.map(async (signer) => ({ signer, signed: await coSigners.call(Number(signer.party), signerCalls.attestAddresses, { ...asked, epoch }) })),
  )
  // While the signers derive, so do we.
  asking.catch(() => {})
  const addresses = deriveSiblings({ protocol, publicKey, chainCode }, { parent: [subWallet], first, count }).map(network.codec.addressFromKey)
  const root = addressTree(addresses).root()
  const statements = (await asking).map(({ signer, signed }) => {
    const statement = openSigned(addressesStatementShape, signed, signer.signKey)
    if (!statement || signed.party !== signer.party) throw new SignerMismatchError(`the answer about addresses is not signed by signer ${signer.party}`)
    if (!isOf(statement, asked) || statement.party !== signer.party)
      throw new SignerMismatchError(`signer ${signer.party} attests something else than it was asked`)
    if (!equalBytes(statement.root, root)) throw new SignerMismatchError(`signer ${signer.party} derives other addresses than the server`)
    return signed
  })
  return { addresses, statements }
}

/** Whether a statement about addresses is about these. */
function isOf(statement: AddressesStatement, asked: Omit<AddressesStatement, 'party' | 'root'>): boolean {
  const { genesis, keyId, chain, subWallet, first, count } = statement
  const isSameKey = equalBytes(genesis, asked.genesis) && equalBytes(keyId, asked.keyId)
  return isSameKey && chain === asked.chain && subWallet === asked.subWallet && first === asked.first && count === asked.count
}

async function attestOne(
  { coSigners }: KeyNeeds,
  key: WalletKeyRow,
  inForce: PolicyInForce,
  { path, network }: MissingAddress,
): Promise<{ address: string; statements: Signed[] }> {
  const { keyId, epoch, protocol, publicKey, chainCode } = key
  if (!publicKey || !chainCode) throw new Error('the key has no public key yet')
  const address = network.codec.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, path))
  const statements = await Promise.all(
    inForce.signers.map(async (signer) => {
      const signed = await coSigners.call(Number(signer.party), signerCalls.attestAddress, {
        genesis: inForce.fingerprint,
        keyId,
        epoch,
        path: path.map(BigInt),
        chain: network.chain,
      })
      const statement = openSigned(addressStatementShape, signed, signer.signKey)
      if (!statement || signed.party !== signer.party) throw new SignerMismatchError(`the answer about the address is not signed by signer ${signer.party}`)
      checkStatement(statement, { key, inForce, party: signer.party, path, chain: network.chain, address })
      return signed
    }),
  )
  return { address, statements }
}

type Expected = { key: WalletKeyRow; inForce: PolicyInForce; party: bigint; path: [number, number]; chain: string; address: string }

function checkStatement(statement: AddressStatement, { key, inForce, party, path, chain, address }: Expected): void {
  if (statement.address !== address) throw new SignerMismatchError(`signer ${party} derives the address ${statement.address}, the server ${address}`)
  const isSame =
    equalBytes(statement.genesis, inForce.fingerprint) &&
    equalBytes(statement.keyId, key.keyId) &&
    statement.party === party &&
    statement.chain === chain &&
    statement.path.length === path.length &&
    statement.path.every((index, i) => index === BigInt(at(path, i)))
  if (!isSame) throw new SignerMismatchError(`signer ${party} attests something else than it was asked`)
}
