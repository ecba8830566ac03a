import type { ConsoleFeature } from '@holdfast/features/console-feature'
import { IconSliders } from '@holdfast/ui'

export { Chips, Choice, DropRow, NumberField, Part } from './editor/parts.tsx'
export { type People, WhoField } from './editor/who-field.tsx'
export { LogTable } from './log/log-table.tsx'
export { useLogFilter } from './log/use-log-filter.tsx'
export { OpenChange } from './review/open-change.tsx'
export { Review } from './review/review.tsx'
export { spanWords } from './words/sentence.ts'

const namespace = 'strategyEngine'

export const feature: ConsoleFeature = {
  hasLateWords: true,
  pages: {
    strategyEngine: () => import('./list/rules-page.tsx').then((module) => module.RulesPage),
    'strategyEngine/basic/log': () => import('./log/log-page.tsx').then((module) => module.BasicLogPage),
    'strategyEngine/senior/strategyDetail': () => import('./list/rule-page.tsx').then((module) => module.RulePage),
    'strategyEngine/senior/addStrategy': () => import('./editor/editor-page.tsx').then((module) => module.EditorPage),
    'strategyEngine/senior/transferLog': () => import('./log/log-page.tsx').then((module) => module.TransferLogPage),
    'strategyEngine/senior/web3Log': () => import('./log/log-page.tsx').then((module) => module.CallLogPage),
    'strategyEngine/senior/tradeLog': () => import('./log/log-page.tsx').then((module) => module.TradeLogPage),
  },
  navigation: [{ path: 'strategyEngine', label: { key: 'rules.nav', namespace }, Icon: IconSliders, shortcut: 'g r', permission: 'strategy.read', order: 46 }],
  places: [{ path: 'strategyEngine/senior/addStrategy', label: { key: 'rules.edit.new', namespace }, Icon: IconSliders }],
}
