import type { Word } from '@holdfast/features/console-feature'
import { type ComponentType, createContext } from 'react'

/** A part of the page of settings, ready to be shown. */
export type ShownPart = { key: string; label: Word; Part: ComponentType }

/** What the page of settings is made of; the console says it. */
export const SettingsPartsContext = createContext<readonly ShownPart[]>([])
