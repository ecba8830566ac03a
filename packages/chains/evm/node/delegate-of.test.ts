import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import { evmNode } from './evm-node.ts'

const account = `0x${'11'.repeat(20)}`
const delegate = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A node that answers with this code, on this network. */
function nodeWith(code: string, chain = 'eip155:31337') {
  const answer: typeof fetch = async (_, init) => {
    const { id, method } = JSON.parse(String(init!.body)) as { id: number; method: string }
    const result = method === 'eth_chainId' ? `0x${Number(chain.split(':')[1]).toString(16)}` : code
    return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
  return evmNode({ chain, rpcUrl: 'http://localhost:1', tokens: [], fetch: answer, timer: nodePorts.timer }).contracts
}

it('whose code runs in the name of an account is read from its own code, and an account with other code delegates to nobody', async () => {
  assert.equal(await nodeWith(`0xef0100${delegate.slice(2).toLowerCase()}`).delegateOf!(account), delegate)
  assert.equal(await nodeWith('0x').delegateOf!(account), null)
  for (const code of ['0x6001', '0xef0100', `0xef0100${'22'.repeat(21)}`, `0xef0200${'22'.repeat(20)}`])
    await assert.rejects(nodeWith(code).delegateOf!(account), ChainError, code)
})

it('nobody is asked on a network that is not known to have it', () => {
  assert.equal(nodeWith('0x', 'eip155:43114').delegateOf, undefined)
  assert.ok(nodeWith('0x', 'eip155:1').delegateOf)
})
