import type { Language } from '@holdfast/contract'

export const memberWords = {
  en_US: {
    governance: 'Policy changes',
    lastOwner: 'This is the last active owner. Make someone else an owner first.',
    named: (name: string, places: string) => `The policy names ${name}: ${places}. Propose a policy change without this person first.`,
    sentence: (broken: string) => `${broken.charAt(0).toUpperCase()}${broken.slice(1)}. Propose a policy change first.`,
    policyVersion: (version: string) => `Policy version ${version}`,
    payment: (amount: string, to: string) => `Pay ${amount} to ${to}`,
    cancellation: (amount: string, to: string) => `Cancel the payment of ${amount} to ${to}`,
    speedUp: (amount: string, to: string) => `Allow a higher fee for the payment of ${amount} to ${to}`,
  },
  zh_CN: {
    governance: '策略变更',
    lastOwner: '这是最后一位有效的所有者。请先将其他成员设为所有者。',
    named: (name: string, places: string) => `策略中有 ${name}：${places}。请先提交不含此人的策略变更。`,
    sentence: (broken: string) => `${broken}。请先提交策略变更。`,
    policyVersion: (version: string) => `策略版本 ${version}`,
    payment: (amount: string, to: string) => `付款 ${amount} 至 ${to}`,
    cancellation: (amount: string, to: string) => `取消付款 ${amount} 至 ${to}`,
    speedUp: (amount: string, to: string) => `提高付款 ${amount} 至 ${to} 的手续费上限`,
  },
} as const satisfies Record<Language, unknown>
