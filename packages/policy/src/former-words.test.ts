import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import { type Intent, intentShape, LOCALES, renderHash, type Rendering, wordings } from '@holdfast/intent'
import { approvalContext, checkApproval } from './check-approval.ts'
import { countApprovals } from './count-approvals.ts'
import { oneStep } from './evaluate/steps.ts'
import { policyHash, policyShape } from './policy.ts'
import { CHAIN, ETH, member, sampleApproval, samplePolicy, sampleTransfer } from './testing/sample-organisation.ts'

const USDX = { chain: CHAIN, contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', symbol: 'USDX', decimals: 6n }
const APPROVE = 'approve(address,uint256)'
const [ann, ben] = [member(1), member(2)]
const policy = samplePolicy([ann, ben], 1, { assets: [ETH, USDX] })

const payment = sampleTransfer(policy, ann.id, { memo: 'invoice 7' })
const { memo: _memo, screening: _screening, ...moved } = payment
const { genesis, orderId, keyId, nonce, notBeforeMs, expiresAtMs, feeCap, initiator, policyVersion } = payment
const asked = { genesis, orderId, nonce, notBeforeMs, expiresAtMs, initiator, policyVersion, policyHash: policyHash(policy) }
const aboutKey = { ...asked, keyId, wallet: 'Treasury' }

/**
 * An order of each kind whose words were put better, and the hash of what its approver read before that in each language: before all of it, and where it
 * was done twice, in between.
 */
const SIGNED: Record<string, { intent: Intent; hashes: Record<'en-US' | 'zh-CN', string>; between?: { 'zh-CN': string } }> = {
  payment: {
    intent: payment,
    hashes: {
      'en-US': '86552b7d8a9d28465803dd0aabda22eeb84a6ac6693c5cee895af511ea78a987',
      'zh-CN': '25c7b47f04c382d0be1b9d1dbc757019ceaad0becab16ad7a9d11bc1d58eca2f',
    },
    between: { 'zh-CN': '3acfe8f8a1074ac341191da73c06cf6605aa8a17dcd8f682145495fbe7b60a93' },
  },
  replacement: {
    intent: { kind: 'replacement', ...asked, action: 'speed-up', original: encode(intentShape, payment), slot: 4n, feeCap: 2n * feeCap, remark: '' },
    hashes: {
      'en-US': 'e3fb333d080a5095119c3081305d0d18786d5025f3906ab24c94fbdde8d8d8ef',
      'zh-CN': 'aef60be681fb92ed7bb51ae3426a335274537aae08471ccaa52342f3f01fba21',
    },
  },
  keyOrder: {
    intent: {
      kind: 'keyOrder',
      ...aboutKey,
      action: 'export',
      epoch: 3n,
      recipients: [1n, 2n].map((party) => ({ party, recipients: [`age1signer${party}`] })),
      remark: 'moving',
      usableFromMs: notBeforeMs + 1n,
    },
    hashes: {
      'en-US': 'f488c21ef06c75d4f44bfe33749ff27af0fc9d4302e7baadf33e87640e6f6f00',
      'zh-CN': '20287ae5b073c12c82b5c2b2b61bc6ab42abb8b7e792ca3d66dee90010fe0e4b',
    },
  },
  keyChange: {
    intent: { kind: 'keyChange', ...aboutKey, action: 'refresh', fromEpoch: 3n, toEpoch: 4n, dealers: [1n, 2n, 3n] },
    hashes: {
      'en-US': '333020d3ba4af343c64119d35d005e2a04d3cb2504b87574d27c8dddb8526d4a',
      'zh-CN': 'bfb55c25b0e9881296972c3e49c4f9b8b487bd7828e464b109d0ff3c1bd28edc',
    },
  },
  contractCall: {
    intent: {
      ...moved,
      kind: 'contractCall',
      to: USDX.contract,
      amount: 0n,
      data: encodeFunctionCall(parseSignature(APPROVE), ['0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB', 2_500_000n]),
      signature: APPROVE,
    },
    hashes: {
      'en-US': 'ec37b206cbcb729c7a356b06b0084308b30098e485199ce497bcbb1756581e14',
      'zh-CN': 'b6bc718f2549309b4c77afb21122bb1d71a3049c3ceaaa42908c48066903128e',
    },
  },
  delegation: {
    intent: { ...moved, kind: 'stake', action: 'delegate', resource: 'energy', lockBlocks: 0n },
    hashes: {
      'en-US': 'ffe6efcd6fb864013fe744e4ba74f4087381334b536f95d028c98373d9546c31',
      'zh-CN': '10edb524651921c56d64f6370cdb4460efda358c96bd60d00b86ae32038505de',
    },
  },
  policyChange: {
    intent: { kind: 'policyChange', ...asked, newPolicy: encode(policyShape, { ...policy, version: 2n, previous: policyHash(policy) }) },
    hashes: {
      'en-US': 'dd9994141843159541ff0a93987123ed53f3a7980e30df3c2d303df79539b4d8',
      'zh-CN': '5f06f7608109c8ebcfbcbf712057dfab1e74c75e031b2c57ed866bc65946405f',
    },
  },
}

for (const [kind, { intent, hashes, between }] of Object.entries(SIGNED)) {
  test(`what was approved over the former words stays approved: ${kind}`, () => {
    for (const locale of LOCALES) {
      const context = approvalContext(policy)
      const [present, last, former] = [...wordings(intent, context, locale)].map((words) => toHex(renderHash(words)))
      assert.equal(former, hashes[locale])
      if (locale === 'zh-CN' && between) assert.equal(last, between[locale])
      for (const words of new Set([present, last, former])) {
        const approval = sampleApproval(ben, intent, policy, 'approve', { locale, renderHash: fromHex(words ?? '') })
        assert.deepEqual(checkApproval(approval, intent, policy).id, ben.id)
        assert.equal(countApprovals({ policy, intent, approvals: [approval], steps: oneStep([ben.id], 1) }).met, true)
      }
    }
  })
}

test('nobody is shown the former words, and they say everything that the present ones say', () => {
  for (const { intent } of Object.values(SIGNED)) {
    for (const locale of LOCALES) {
      const [present, , former] = [...wordings(intent, approvalContext(policy), locale)] as [Rendering, Rendering, Rendering]
      assert.doesNotMatch(JSON.stringify(present), /代次|链上位置|备注标签|策略管理人|key\(s\)|Call approve|的 approve|signed address book|已签名的地址簿/)
      assert.equal(present.rows.length, former.rows.length)
      assert.equal(present.warnings.length, former.warnings.length)
    }
  }
})
