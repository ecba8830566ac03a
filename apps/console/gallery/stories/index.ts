import type { Story } from '../story.ts'
import { charts } from './charts.tsx'
import { feedback, overlays, statuses, values } from './content.tsx'
import { buttons, choices, forms } from './controls.tsx'
import { labels } from './labels.tsx'
import { palette } from './palette.tsx'
import { longTable, tables } from './tables.tsx'
import { tokens } from './tokens.tsx'

export const stories: readonly Story[] = [tokens, buttons, forms, choices, labels, values, statuses, feedback, overlays, tables, longTable, charts, palette]
