import type { ReactNode } from 'react'
import { Mark } from '../shell/mark.tsx'

/** A page that takes the whole window, without anything that could itself have failed. */
export function FullScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="hf-full-screen" role="alert">
      <Mark size={40} />
      <h1>{title}</h1>
      {children}
    </main>
  )
}
