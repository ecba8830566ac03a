import { toHex } from '@holdfast/encoding'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, paramsEVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { createAccount, createAddressFromString } from '@ethereumjs/util'

export type Log = { address: string; topics: string[]; data: string }
export type Run = { energy: bigint; returned: Uint8Array; logs: Log[]; failure: string | null }
export type Call = { from: string; to: string; data: Uint8Array; value: bigint; energy: bigint }

// What TVM charges where it differs from the EVM of Petersburg. Source: java-tron, EnergyCost.
const ENERGY: Record<string, number> = {
  sloadGas: 50,
  callGas: 40,
  callcodeGas: 40,
  delegatecallGas: 40,
  staticcallGas: 40,
  balanceGas: 20,
  extcodesizeGas: 20,
  extcodecopyGas: 20,
  extcodehashGas: 400,
  expByteGas: 10,
}
const CODE_BYTE_ENERGY = 200n

/**
 * Contracts and balances: the EVM with TVM's prices. An emulation, close enough for TRC-20 tokens and the like; TRON's own
 * instructions and precompiled contracts are not there. Addresses are the 21 bytes in hexadecimal.
 */
export async function openTvm(chainNumber: bigint) {
  const params = structuredClone(paramsEVM) as unknown as Record<string, Record<string, number>>
  for (const group of Object.values(params)) for (const [name, price] of Object.entries(group)) group[name] = ENERGY[name] ?? price
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Petersburg, eips: [3855, 1153], params })
  const state = new SimpleStateManager({ common })
  type Step = {
    stack: { push(value: bigint): void; popN(count: number): bigint[] }
    interpreter: { getSelfBalance(): bigint }
    memory: { read(at: number, length: number): Uint8Array; write(at: number, length: number, bytes: Uint8Array): void }
  }
  const opcode = (code: number, opcodeName: string, baseFee: number, logicFunction: (step: Step) => void) => ({
    opcode: code,
    opcodeName,
    baseFee,
    logicFunction,
  })
  const customOpcodes = [
    opcode(0x46, 'CHAINID', 2, (step) => step.stack.push(chainNumber)),
    opcode(0x47, 'SELFBALANCE', 5, (step) => step.stack.push(step.interpreter.getSelfBalance())),
    opcode(0x48, 'BASEFEE', 2, (step) => step.stack.push(100n)),
    opcode(0x5e, 'MCOPY', 3, (step) => {
      const [to, from, length] = step.stack.popN(3).map(Number) as [number, number, number]
      if (length > 0) step.memory.write(to, length, Uint8Array.from(step.memory.read(from, length)))
    }),
  ]
  const evm = await createEVM({ common, stateManager: state, params: params as never, allowUnlimitedContractSize: true, customOpcodes: customOpcodes as never })
  const known = (address: string) => createAddressFromString(`0x${address.slice(2)}`)
  const runOf = (result: Awaited<ReturnType<typeof evm.runCode>>): Run => ({
    energy: result.executionGasUsed,
    returned: result.returnValue,
    logs: result.exceptionError
      ? []
      : (result.logs ?? []).map(([address, topics, data]) => ({ address: toHex(address), topics: topics.map((topic) => toHex(topic)), data: toHex(data) })),
    failure: result.exceptionError?.error ?? null,
  })

  const balance = async (address: string): Promise<bigint> => (await state.getAccount(known(address)))?.balance ?? 0n
  const call = async ({ from, to, data, value, energy }: Call): Promise<Run> => {
    const caller = known(from)
    return runOf((await evm.runCall({ caller, origin: caller, to: known(to), data, value, gasLimit: energy })).execResult)
  }
  return {
    balance,
    add: async (address: string, delta: bigint): Promise<void> => {
      const account = (await state.getAccount(known(address))) ?? createAccount({})
      if (account.balance + delta < 0n) throw new Error('balance is not sufficient.')
      account.balance += delta
      await state.putAccount(known(address), account)
    },
    call,
    /** The same without leaving anything behind. */
    callAndForget: async (question: Call): Promise<Run> => {
      await state.checkpoint()
      try {
        return await call(question)
      } finally {
        await state.revert()
      }
    },
    create: async ({ from, at, code, energy }: { from: string; at: string; code: Uint8Array; energy: bigint }): Promise<Run> => {
      const [caller, to] = [known(from), known(at)]
      await state.checkpoint()
      if (!(await state.getAccount(to))) await state.putAccount(to, createAccount({}))
      const result = runOf(await evm.runCode({ code, caller, origin: caller, to, data: new Uint8Array(), gasLimit: energy, value: 0n }))
      const whole = { ...result, energy: result.energy + CODE_BYTE_ENERGY * BigInt(result.returned.length) }
      if (whole.failure !== null || whole.energy > energy) {
        await state.revert()
        return { ...whole, energy: whole.energy > energy ? energy : whole.energy, logs: [], failure: whole.failure ?? 'out of gas' }
      }
      await state.putCode(to, result.returned)
      await state.commit()
      return whole
    },
  }
}

export type Tvm = Awaited<ReturnType<typeof openTvm>>
