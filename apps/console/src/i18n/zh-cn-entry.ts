import session from '@holdfast/features/session/locales/zh-CN.json' with { type: 'json' }
import setup from '@holdfast/features/setup/locales/zh-CN.json' with { type: 'json' }
import ui from '@holdfast/ui/locales/zh-CN.json' with { type: 'json' }
import console from '../../locales/zh-CN.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export const texts: Texts = { translation: { ...ui, ...console, ...session, ...setup } }
