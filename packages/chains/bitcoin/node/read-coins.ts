import { ChainError } from '@holdfast/chain-core'
import { equalBytes, fromHex } from '@holdfast/encoding'
import { requireScript } from '../codec/address.ts'
import type { ListedCoin } from '../codec/coin-locks.ts'
import type { Network } from '../codec/networks.ts'
import { sum } from '../codec/select-coins.ts'
import { amount, array, count, hexData, id, record } from './answers.ts'
import { readBlockHash, readWholeBlock } from './read-block.ts'
import type { Rpc } from './rpc.ts'
import { inTurns } from './take-turns.ts'

export type CoinsAt = { coins: ListedCoin[]; height: bigint; blockHash: string }

/** All coins of an address at the head, by a scan of the node's set of coins: a second on a small chain, a minute or more on the main one. */
export async function scanCoins(rpc: Rpc, network: Network, address: string): Promise<CoinsAt> {
  const script = requireScript(network, address)
  const answer = record(await rpc('scantxoutset', 'start', [`addr(${address})`]), 'scan of coins')
  if (answer.success !== true) throw new ChainError('the node did not finish its scan of coins; another may be under way: ask again')
  const height = BigInt(count(answer.height, 'height of a scan'))
  const coins = array(answer.unspents, 'list of coins').map((each): ListedCoin | undefined => {
    const claim = record(each, 'coin')
    if (!equalBytes(fromHex(hexData(claim.scriptPubKey, 'script of a coin')), script)) throw new ChainError('the node gave a coin of another address')
    const coin = {
      txid: id(claim.txid, 'transaction id of a coin'),
      index: count(claim.vout, 'index of a coin'),
      amount: amount(claim.amount, 'amount of a coin'),
      script,
    }
    const made = BigInt(count(claim.height, 'height of a coin'))
    if (made > height) throw new ChainError('the node gave a coin of a block that it does not have')
    // Rewards of mining are no payments to anybody: see readBlock.
    return claim.coinbase === true ? undefined : { ...coin, height: made }
  })
  return { coins: coins.filter((coin) => coin !== undefined), height, blockHash: id(answer.bestblock, 'hash of a scan') }
}

// A week of blocks: a question about longer ago is one for the ledger, not for the node.
const BLOCKS_BACK_MAX = 1_008n

/** What an address has now, or had at the end of a block: then the blocks since are read and undone. */
export async function readBalance(rpc: Rpc, network: Network, address: string, at?: bigint): Promise<bigint> {
  const { coins, height, blockHash } = await scanCoins(rpc, network, address)
  let balance = sum(coins)
  if (at === undefined || at === height) return balance
  if (at > height) throw new ChainError(`block ${at} is above the head ${height}`)
  if (height - at > BLOCKS_BACK_MAX) throw new ChainError(`the node can tell what an address had up to ${BLOCKS_BACK_MAX} blocks ago, not at block ${at}`)
  let expected = blockHash
  for (let each = height; each > at; each--) {
    const block = await readWholeBlock(rpc, network, each)
    if (block?.hash !== expected) throw new ChainError('the chain changed while its blocks were read; ask again')
    expected = block.parentHash
    for (const { inputs, outputs, isCoinbase } of block.transactions) {
      if (isCoinbase) continue
      balance += sum(inputs.map(({ spent }) => spent).filter((spent) => spent.address === address))
      balance -= sum(outputs.filter((output) => output.address === address))
    }
  }
  if ((await readBlockHash(rpc, at)) !== expected) throw new ChainError('the chain changed while its blocks were read; ask again')
  if (balance < 0n) throw new ChainError('the blocks of the node do not fit what it says an address has')
  return balance
}

/** Coins that somebody else lists, each asked for: gone ones are left out, waiting ones have no height. */
export async function checkCoins(rpc: Rpc, listed: readonly ListedCoin[]): Promise<ListedCoin[]> {
  const checked = await inTurns(listed, async (coin) => {
    const answer = await rpc('gettxout', coin.txid, coin.index, true)
    if (answer === null) return undefined
    const claim = record(answer, 'coin')
    const script = fromHex(hexData(record(claim.scriptPubKey, 'script').hex, 'script of a coin'))
    const isSame = amount(claim.value, 'amount of a coin') === coin.amount && equalBytes(script, coin.script)
    if (!isSame) throw new ChainError(`the coin ${coin.txid}:${coin.index} is another than was listed`)
    return count(claim.confirmations, 'confirmations of a coin') === 0 ? { ...coin, height: null } : coin
  })
  return checked.filter((coin) => coin !== undefined)
}
