import { useLocale, useTheme } from '@holdfast/ui'
import { Fragment } from 'react'
import { HOSTILE_TEXTS } from './hostile-texts.ts'
import { stories } from './stories/index.ts'
import type { StoryContext } from './story.ts'

type GalleryProps = {
  /** The parts to show, with commas between; all where absent. */
  part: string | null
  /** The number of the hostile text that stands in every name. */
  hostile: string | null
}

/** Every part of the design system in all its states. */
export function Gallery({ part, hostile }: GalleryProps) {
  const locale = useLocale()
  const { mode } = useTheme()
  const text = hostile === null ? undefined : HOSTILE_TEXTS[Number(hostile)]?.text
  const context: StoryContext = {
    locale,
    say: (english, chinese) => (locale === 'zh-CN' ? chinese : english),
    name: (ordinary) => text ?? ordinary,
  }
  const shown = stories.filter(({ key }) => part === null || part.split(',').includes(key))
  const href = (change: Record<string, string>) => `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), ...change })}`
  return (
    <div className="gallery">
      <nav aria-label="Gallery" className="gallery-nav">
        <a href="?">All</a>
        {stories.map(({ key, title }) => (
          <a key={key} href={href({ part: key })} aria-current={part === key ? 'page' : undefined}>
            {title}
          </a>
        ))}
        <a href={href({ theme: mode === 'dark' ? 'light' : 'dark' })}>{mode === 'dark' ? 'Light' : 'Dark'}</a>
        <a href={href({ language: locale === 'zh-CN' ? 'en-US' : 'zh-CN' })} lang={locale === 'zh-CN' ? 'en' : 'zh-CN'}>
          {locale === 'zh-CN' ? 'English' : '中文'}
        </a>
      </nav>
      <main className="gallery-main">
        <h1 className="hf-visually-hidden">Gallery</h1>
        {shown.map((story) => (
          <section key={story.key} className="gallery-story" data-part={story.key} aria-label={story.title}>
            <h2>{story.title}</h2>
            {story.states.map((state) => (
              <Fragment key={state.name}>
                <p className="gallery-state">{state.name}</p>
                <div className="gallery-frame">{state.render(context)}</div>
              </Fragment>
            ))}
          </section>
        ))}
      </main>
    </div>
  )
}
