import {
  addressOfScript,
  commitAmount,
  commitInscription,
  draftTransfer,
  finishDraft,
  networkBytes,
  networkOf,
  revealInscription,
  type SpentCoin,
} from '@holdfast/chain-bitcoin/codec'
import { codec, secretKey, signTaproot, taprootFrom, taprootKey } from '@holdfast/chain-bitcoin/testing'
import { toHex } from '@holdfast/encoding'
import { schnorr } from '@noble/curves/secp256k1.js'

/** A local network of Bitcoin: its faucet, and any method of its node. */
type Chain = {
  bitcoin: { fund(address: string, amount: bigint): Promise<{ txid: string }>; call(method: string, ...params: unknown[]): Promise<unknown> }
  network: { chain: string }
}

/**
 * For tests: an inscription that a stranger makes, on a coin paid to an address; its id and the coin that carries it. With `on`, it is made on the first
 * satoshi of that coin of the stranger.
 */
export async function inscribe(
  { bitcoin, network: { chain } }: Chain,
  to: string,
  { contentType, body }: { contentType: string; body: Uint8Array },
  postage = 546n,
  on?: SpentCoin,
): Promise<{ id: string; outpoint: string }> {
  const commit = commitInscription(taprootKey, contentType, body)
  const amount = commitAmount({ chain, commit, to }, 3_000n, postage)
  const address = addressOfScript(networkOf(chain), commit.script)!
  const { txid } = on ? await commitOn(bitcoin, chain, { address, amount, on }) : await bitcoin.fund(address, amount)
  const paid = (await bitcoin.call('getrawtransaction', txid, 1)) as { vout: { scriptPubKey: { hex: string } }[] }
  const index = paid.vout.findIndex((each) => each.scriptPubKey.hex === toHex(commit.script))
  const reveal = revealInscription({ chain, commit, coin: { txid, index, amount }, to }, postage)
  await bitcoin.call('generateblock', to, [toHex(reveal.finish(schnorr.sign(reveal.digest, secretKey)))])
  return { id: `${reveal.txid}i0`, outpoint: `${reveal.txid}:0` }
}

/** Pays a commitment with a coin of the stranger first, and one of its own that the faucet gives it for the rest. */
async function commitOn(
  bitcoin: Chain['bitcoin'],
  chain: string,
  { address, amount, on }: { address: string; amount: bigint; on: SpentCoin },
): Promise<{ txid: string }> {
  const given = await bitcoin.fund(taprootFrom, 100_000n)
  const paid = (await bitcoin.call('getrawtransaction', given.txid, 1)) as { vout: { scriptPubKey: { hex: string } }[] }
  const index = paid.vout.findIndex((each) => each.scriptPubKey.hex === toHex(on.script))
  const more = { txid: given.txid, index, amount: 100_000n, script: on.script }
  const order = { chain, from: taprootFrom, payments: [{ to: address, amount }], required: [on, more], coins: [], satPerKvb: 2_000n, feeCap: 10n ** 9n }
  const unsigned = finishDraft(draftTransfer(order), new Map())
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
  await bitcoin.call('generateblock', taprootFrom, [toHex(networkBytes(chain, raw))])
  return { txid }
}
