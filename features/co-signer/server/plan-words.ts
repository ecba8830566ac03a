import type { Language } from '@holdfast/contract'
import type { Networks } from '@holdfast/features/network/server'
import type { NamedSubWallet } from '@holdfast/features/wallet/server'
import type { Plan } from './plan.ts'
import { ruleView } from './rules.ts'

/** The parts of a plan that people set, as the log shows them. */
export const PLAN_PARTS = ['collect', 'fuel', 'scope', 'rules', 'black', 'asked', 'isPaused', 'receivers', 'notice', 'transfers', 'days'] as const
type Part = (typeof PLAN_PARTS)[number]

const WORDS: Record<
  Language,
  Record<'yes' | 'no' | 'all' | 'part' | 'except' | 'on' | 'off' | 'always' | 'hourly' | 'single' | 'fuel' | 'fee' | 'raise' | 'now' | 'leave', string>
> = {
  en_US: {
    ...{ yes: 'Yes', no: 'No', all: 'All sub-wallets', part: 'Only', except: 'All except', on: 'on', off: 'off', always: 'at any time', hourly: 'each hour' },
    ...{ single: 'single deposit', fuel: 'sent for fees', fee: 'fee', raise: 'fee raised after', now: 'collect now', leave: 'left' },
  },
  zh_CN: {
    ...{ yes: '是', no: '否', all: '全部子钱包', part: '仅', except: '全部，除', on: '开启', off: '关闭', always: '不限时间', hourly: '每小时' },
    ...{ single: '单笔充值', fuel: '手续费补充', fee: '手续费', raise: '超时提高手续费', now: '立即归集', leave: '不归集' },
  },
}

export type PlanNames = {
  networks: Networks
  language: Language
  subWallets: ReadonlyMap<string, NamedSubWallet>
  people: ReadonlyMap<string, string>
}

/** What a part of a plan says, one text for each thing in it: places and people by their names, amounts in whole units. */
export function linesOf(plan: Plan, part: Part, { networks, language, subWallets, people }: PlanNames): string[] {
  const words = WORDS[language]
  const nameOf = (id: string) => {
    const found = subWallets.get(id)
    return found ? `${found.wallet_name} / ${found.sub_wallet_name}` : id
  }
  const coinOf = (chain: string, contract: string) => networks.byContract(chain, contract)?.symbol ?? contract
  switch (part) {
    case 'collect':
    case 'fuel': {
      const place = plan[part]
      return place === null ? [] : [nameOf(place.subWalletId)]
    }
    case 'scope':
      return [words[plan.scope.mode], ...plan.scope.subWalletIds.map(nameOf)]
    case 'rules':
      return plan.rules.map((rule) => {
        const {
          network,
          symbol,
          collect_min: min,
          single_min: single,
          fueling_limit: fuel,
          max_fee: fee,
          fee_symbol: coin,
          ...of
        } = ruleView(networks, rule, 0, true)
        return [
          `${symbol} (${network}) ≥ ${min}`,
          ...(single === null ? [] : [`${words.single} ≥ ${single}`]),
          ...(of.collect_max === UNBOUNDED ? [] : [`≤ ${of.collect_max}`]),
          ...(fuel === null ? [] : [`${words.fuel} ≤ ${fuel} ${coin}`]),
          `${words.fee} ≤ ${fee} ${coin}, ${of.max_fee_pct} %`,
          ...(of.rbf_after_s === null ? [] : [`${words.raise} ${of.rbf_after_s} s × ${of.rbf_times}`]),
          of.schedule === '' ? words.always : of.schedule === 'hourly' ? words.hourly : `${of.schedule} UTC`,
          of.enabled ? words.on : words.off,
        ].join(' · ')
      })
    case 'black':
      return plan.black.map(({ chain, address, reason }) => `${address} (${networks.find(chain)?.name ?? chain})${reason === '' ? '' : ` · ${reason}`}`)
    case 'asked':
      return plan.asked.map(({ chain, address, contract, what }) => `${address} · ${coinOf(chain, contract)} · ${words[what]}`)
    case 'isPaused':
      return [plan.isPaused ? words.yes : words.no]
    case 'receivers':
      return plan.receivers.map(({ personId, events }) => `${people.get(personId) ?? personId} · ${events.join(', ')}`)
    case 'notice':
      return Object.values(plan.notice).map(String)
    default:
      return [String(plan[part])]
  }
}

/** What stands for no bound. */
const UNBOUNDED = '9999999999999999'

/** What a version changed, part by part: what was taken out of it, and what came in. */
export function diffOf(before: Plan, after: Plan, names: PlanNames): { what: string; before: string; after: string }[] {
  return PLAN_PARTS.flatMap((what) => {
    const [was, is] = [linesOf(before, what, names), linesOf(after, what, names)]
    if (was.join('\n') === is.join('\n')) return []
    return [{ what, before: was.filter((each) => !is.includes(each)).join('\n'), after: is.filter((each) => !was.includes(each)).join('\n') }]
  })
}
