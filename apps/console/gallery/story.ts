import type { Locale } from '@holdfast/ui'
import type { ReactNode } from 'react'

/** What a story is shown with. */
export type StoryContext = {
  locale: Locale
  /** One of two texts, by the language in use. */
  say(english: string, chinese: string): string
  /** A name that somebody wrote: the given one, or the hostile text under test in its place. */
  name(ordinary: string): string
}

export type State = {
  name: string
  render(context: StoryContext): ReactNode
}

/** One part of the design system with all its states. */
export type Story = {
  key: string
  title: string
  states: readonly State[]
}
