import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { hashId, type NetworkTransaction, readTransaction } from './transaction.ts'

export type BlockHeader = { version: number; parent: string; merkleRoot: string; timeS: number; bits: number; nonce: number }
export type NetworkBlock = { hash: string; height: number; header: BlockHeader; transactions: NetworkTransaction[] }

/** The easiest work there is, as on regtest: every second hash will do. */
const BITS = 0x207f_ffff

/** The first blocks, so that a client finds the chain it was told of. Source: Bitcoin Core chainparams.cpp. */
const GENESIS_MERKLE_ROOT = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'
const GENESIS_HEADERS = {
  regtest: { version: 1, parent: '00'.repeat(32), merkleRoot: GENESIS_MERKLE_ROOT, timeS: 1_296_688_602, bits: BITS, nonce: 2 },
  signet: { version: 1, parent: '00'.repeat(32), merkleRoot: GENESIS_MERKLE_ROOT, timeS: 1_598_918_400, bits: 0x1e03_77ae, nonce: 52_613_770 },
}

/** What the first block holds; nobody can spend it. */
const GENESIS_TRANSACTION =
  '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000'

export function genesisOf(network: keyof typeof GENESIS_HEADERS): NetworkBlock {
  const header = GENESIS_HEADERS[network]
  return { hash: hashId(headerBytes(header)), height: 0, header, transactions: [readTransaction(fromHex(GENESIS_TRANSACTION))] }
}

/** Finds a block on a parent: counts until the hash does enough work. */
export function findBlock(parent: NetworkBlock, timeS: number, transactions: NetworkTransaction[]): NetworkBlock {
  const header = { version: 0x2000_0000, parent: parent.hash, merkleRoot: merkleRoot(transactions.map(({ txid }) => txid)), timeS, bits: BITS, nonce: 0 }
  for (; ; header.nonce++) {
    const hash = hashId(headerBytes(header))
    if (hash < '7fffff') return { hash, height: parent.height + 1, header, transactions }
  }
}

export function readHeader(bytes: Uint8Array): BlockHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const id = (from: number) => toHex(bytes.slice(from, from + 32).toReversed())
  const [version, timeS, bits, nonce] = [0, 68, 72, 76].map((at) => view.getUint32(at, true)) as [number, number, number, number]
  return { version, parent: id(4), merkleRoot: id(36), timeS, bits, nonce }
}

export function headerBytes({ version, parent, merkleRoot: root, timeS, bits, nonce }: BlockHeader): Uint8Array {
  return concatBytes(uint32(version), fromHex(parent).toReversed(), fromHex(root).toReversed(), uint32(timeS), uint32(bits), uint32(nonce))
}

export function merkleRoot(txids: readonly string[]): string {
  let row = txids.map((txid) => fromHex(txid).toReversed())
  while (row.length > 1) {
    row = Array.from({ length: Math.ceil(row.length / 2) }, (_, i) => sha256(sha256(concatBytes(at(row, 2 * i), row[2 * i + 1] ?? at(row, 2 * i)))))
  }
  return toHex(at(row, 0).toReversed())
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}
