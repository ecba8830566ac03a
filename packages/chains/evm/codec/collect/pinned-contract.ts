import { ChainError, type ContractCall } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { ADDRESS_LENGTH, addressBytes, checksumAddress } from '../address.ts'
import { addressOfWord, WORD } from '../call-data.ts'

/**
 * A contract of ours whose bytes are fixed, but for one address that its constructor writes into the code: the target, to which alone it moves anything. Its
 * address follows from those bytes and the target, so whoever knows the target needs no network to know the contract.
 */
export type PinnedContract = {
  /** How it is called in messages. */
  name: string
  /** Where it stands on every network, in EIP-55. Nothing else can ever stand there, so a right given to it before it is deployed is given to nobody. */
  addressOf(target: string): string
  /** The code that stands at that address, as `eth_getCode` answers. */
  codeOf(target: string): Uint8Array
  /** Whether code that a network tells of is this contract with this target, byte for byte. */
  isCode(code: Uint8Array, target: string): boolean
  /** The call that deploys it. Anybody may send it, and a second one fails. */
  deploymentOf(target: string): ContractCall
  /** The target of a call that deploys it, in EIP-55. Throws ChainError for every other call, also for one with a byte too many. */
  readDeployment(call: ContractCall): string
}

/** What the compiler made of a contract, and the hashes of it that whoever reviewed the sources has seen. */
export type Pin = {
  name: string
  artifact: { bytecode: string; runtime: { code: string; immutables: Record<string, number[]> } }
  /** Keccak-256 of the code that deploys, without the target behind it. */
  creationHash: string
  /** Keccak-256 of the code that stands on a network, zeros where target and own address are. */
  runtimeHash: string
}

/**
 * The deterministic deployment proxy: its call data is a salt and the code to deploy by CREATE2. It stands at this address on nearly every network. Even where
 * something else stood there, what it makes by CREATE2 at an address is what the address was computed from. Source: EIP-1014; Arachnid's
 * deterministic-deployment-proxy.
 */
export const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const SALT = new Uint8Array(WORD)
const CREATE2 = Uint8Array.of(0xff)

class ImpossibleCode extends Error {
  override name = 'ImpossibleCode'
}

/** Throws if the bytes are not those that were pinned: then whoever runs this would give rights to a contract that nobody has reviewed. */
export function pinnedContract(pin: Pin): PinnedContract {
  const { name } = pin
  const { creation, runtime } = codesOf(pin)
  const { target: targets = [], self: selves = [], ...others } = pin.artifact.runtime.immutables
  if (targets.length === 0 || Object.keys(others).length > 0) throw new ImpossibleCode(`the code of the ${name} is not the one that is pinned`)

  const deploymentDataOf = (target: string) => concatBytes(SALT, creation, wordOf(checkedTarget(target)))
  const addressOf = (target: string): string => placeOf(deploymentDataOf(target))
  const codeOf = (target: string): Uint8Array => {
    const code = runtime.slice()
    for (const start of targets) code.set(wordOf(checkedTarget(target)), start)
    for (const start of selves) code.set(wordOf(addressOf(target)), start)
    return code
  }
  return {
    name,
    addressOf,
    codeOf,
    isCode: (code, target) => equalBytes(code, codeOf(target)),
    deploymentOf: (target) => ({ contract: DEPLOYER, value: 0n, data: deploymentDataOf(target) }),
    readDeployment: ({ contract, value, data }) => {
      if (contract !== DEPLOYER) throw new ChainError(`the ${name} is deployed by a call of ${DEPLOYER}, not of ${contract}`)
      if (value !== 0n) throw new ChainError(`nothing is sent along to deploy the ${name}`)
      const begins = concatBytes(SALT, creation)
      if (data.length !== begins.length + WORD || !equalBytes(data.subarray(0, begins.length), begins))
        throw new ChainError(`what is deployed is not the ${name}: its code differs from the one that is pinned`)
      return checkedTarget(checksumAddress(addressOfWord(data.subarray(begins.length), 'the target')))
    },
  }
}

/** A pinned contract that is the same for everybody, since nothing is written into its code. */
export type FixedContract = {
  address: string
  /** Whether code that a network tells of is this contract, byte for byte. */
  isCode(code: Uint8Array): boolean
  /** The call that deploys it. Anybody may send it, and a second one fails. */
  deployment: ContractCall
}

/** A contract without a target. Throws as `pinnedContract` does. */
export function fixedContract(pin: Pin): FixedContract {
  const { creation, runtime } = codesOf(pin)
  if (Object.keys(pin.artifact.runtime.immutables).length > 0) throw new ImpossibleCode(`something is written into the code of the ${pin.name}`)
  const data = concatBytes(SALT, creation)
  return { address: placeOf(data), isCode: (code) => equalBytes(code, runtime), deployment: { contract: DEPLOYER, value: 0n, data } }
}

function codesOf({ name, artifact, creationHash, runtimeHash }: Pin): { creation: Uint8Array; runtime: Uint8Array } {
  const [creation, runtime] = [fromHex(artifact.bytecode.slice(2)), fromHex(artifact.runtime.code.slice(2))]
  const isPinned = hashOf(creation) === creationHash && hashOf(runtime) === runtimeHash
  if (!isPinned) throw new ImpossibleCode(`the code of the ${name} is not the one that is pinned`)
  return { creation, runtime }
}

/** Where CREATE2 puts what this call data of the deployer deploys. */
function placeOf(deploymentData: Uint8Array): string {
  const hash = keccak_256(deploymentData.subarray(SALT.length))
  return checksumAddress(keccak_256(concatBytes(CREATE2, addressBytes(DEPLOYER), SALT, hash)).subarray(-ADDRESS_LENGTH))
}

const hashOf = (bytes: Uint8Array): string => toHex(keccak_256(bytes))
const wordOf = (address: string): Uint8Array => concatBytes(new Uint8Array(WORD - ADDRESS_LENGTH), addressBytes(address))

function checkedTarget(target: string): string {
  if (addressBytes(target).every((byte) => byte === 0)) throw new ChainError('the target is the zero address, from which nothing comes back')
  return target
}
