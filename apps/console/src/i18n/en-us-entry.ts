import session from '@holdfast/features/session/locales/en-US.json' with { type: 'json' }
import setup from '@holdfast/features/setup/locales/en-US.json' with { type: 'json' }
import ui from '@holdfast/ui/locales/en-US.json' with { type: 'json' }
import console from '../../locales/en-US.json' with { type: 'json' }
import type { Texts } from './texts.ts'

export const texts: Texts = { translation: { ...ui, ...console, ...session, ...setup } }
