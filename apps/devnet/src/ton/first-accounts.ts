import jettonMaster from '@holdfast/chain-ton/artifacts/jetton-master.json' with { type: 'json' }
import jettonWallet from '@holdfast/chain-ton/artifacts/jetton-wallet.json' with { type: 'json' }
import { jettonWalletAddress, requireNetwork, walletAddress, walletStateInit, type Address as Account, serializeBoc } from '@holdfast/chain-ton/codec'
import { at } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Address, beginCell, Cell, contractAddress, type ShardAccount } from '@ton/core'
import { createShardAccount } from '@ton/sandbox/dist/blockchain/SmartContract.js'

/** The key of the play money: whoever reads this may spend it. */
export const FAUCET_SECRET = sha256(new TextEncoder().encode('holdfast emulated ton: faucet'))
export const FAUCET_KEY = ed25519.getPublicKey(FAUCET_SECRET)
const FAUCET_COIN = 10n ** 18n
const SUPPLY = 10n ** 15n
/** What a contract has for its storage. */
const FOR_STORAGE = 10n ** 10n

const masterCode = Cell.fromBase64(jettonMaster.code)
const walletCode = Cell.fromBase64(jettonWallet.code)
/** From what the addresses of the play-money jetton's wallets follow. */
export const WALLET_FORM = { codeHash: Uint8Array.from(walletCode.hash()), codeDepth: BigInt(walletCode.depth()), hasStatus: false, hasCode: true }

const addressOf = ({ workchain, hash }: Account) => new Address(workchain, Buffer.from(hash))

/** The master of the play-money dollar. */
export function masterOf(globalId: number): { address: Account; data: Cell } {
  const faucet = addressOf(walletAddress(FAUCET_KEY, requireNetwork(`ton:${globalId}`)))
  const data = beginCell().storeCoins(SUPPLY).storeAddress(faucet).storeRef(walletCode).endCell()
  const { workChain: workchain, hash } = contractAddress(0, { code: masterCode, data })
  return { address: { workchain, hash: Uint8Array.from(hash) }, data }
}

/** What is on the chain before its first block: a wallet with all the play money, the jetton's master, and that wallet's jetton wallet. */
export function firstAccounts(globalId: number): [Address, ShardAccount][] {
  const network = requireNetwork(`ton:${globalId}`)
  const faucet = walletAddress(FAUCET_KEY, network)
  const master = masterOf(globalId)
  const [code, data] = at(Cell.fromBoc(Buffer.from(serializeBoc(walletStateInit(FAUCET_KEY, network)))), 0).refs as [Cell, Cell]
  const holding = addressOf(jettonWalletAddress(WALLET_FORM, master.address, faucet))
  const held = beginCell().storeCoins(SUPPLY).storeAddress(addressOf(faucet)).storeAddress(addressOf(master.address)).storeRef(walletCode).endCell()
  const accounts: [Address, Cell, Cell, bigint][] = [
    [addressOf(faucet), code, data, FAUCET_COIN],
    [addressOf(master.address), masterCode, master.data, FOR_STORAGE],
    [holding, walletCode, held, FOR_STORAGE],
  ]
  return accounts.map(([address, itsCode, itsData, balance]) => [address, createShardAccount({ address, code: itsCode, data: itsData, balance })])
}
