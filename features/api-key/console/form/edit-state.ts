import { useState } from 'react'
import type { Machine } from '../machine-card.tsx'

/** The two forms of the page that changes a machine: whether each has input that was not sent or is under way, and what became of settings that were saved. */
export type EditState = { settings: boolean; policy: boolean; step: 'open' | 'saved' | 'leaving' }
export type EditEvent = { form: 'settings' | 'policy'; isUnsent: boolean } | 'settingsSaved'

export const UNTOUCHED: EditState = { settings: false, policy: false, step: 'open' }

/** Once the settings are saved the page is left, unless the other form has input that would be lost. */
export function nextEditState(state: EditState, event: EditEvent): EditState {
  if (event === 'settingsSaved') return { ...state, settings: false, step: state.policy ? 'saved' : 'leaving' }
  const { form, isUnsent } = event
  return { ...state, [form]: isUnsent, ...(form === 'settings' && isUnsent && { step: 'open' as const }) }
}

export const hasUnsent = ({ settings, policy }: EditState): boolean => settings || policy

/** What a form begins with, and which version that is of; the server refuses what was typed over a version that is no longer the present one. */
export type Seed = { machine: Machine; version: number }

/** A form that nobody has typed into follows what stands now. One with input keeps what it began with, and its version with it. */
export const seedOf = <S extends { version: number }>(kept: S, present: S, isHeld: boolean): S => (isHeld || kept.version === present.version ? kept : present)

/** What a form began with, whether something else stands by now, and how to begin again from that. */
export type Begun = { seed: Seed; isPast: boolean; restart: () => void }

export function useSeed(present: Seed, isHeld: boolean): Begun {
  const [kept, keep] = useState(present)
  const seed = seedOf(kept, present, isHeld)
  if (seed !== kept) keep(seed)
  return { seed, isPast: seed.version !== present.version, restart: () => keep(present) }
}

/** Whether two forms say the same: what was typed and taken back again is no input. */
export const isSameTyped = <T extends object>(one: T, other: T | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)
