import { randomBytes } from 'node:crypto'
import { codecFor as bitcoinCodec } from '@holdfast/chain-bitcoin/codec'
import { addressText as tonAddress } from '@holdfast/chain-ton/codec'
import { addressText as tronAddress } from '@holdfast/chain-tron/codec'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { LOCAL_BITCOIN } from '../../../apps/launcher/src/local-settings.ts'

/* Addresses that nobody has used, on the networks beside the first one. */

export const freshOnTron = (): string => tronAddress(Uint8Array.of(0x41, ...randomBytes(20)))
export const freshOnBitcoin = (): string => bitcoinCodec(LOCAL_BITCOIN)!.addressFromKey(secp256k1.getPublicKey(randomBytes(32), true))
export const freshOnTon = (): string => tonAddress({ workchain: 0, hash: randomBytes(32) }, true)
