import { Component, type ReactNode } from 'react'
import { FailureScreen } from './screens/failure-screen.tsx'

type State = { failure?: { error: unknown } }

/** What takes the place of the console when a part of it could not be fetched or shown. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } }
  }

  override render(): ReactNode {
    const { failure } = this.state
    return failure ? <FailureScreen error={failure.error} /> : this.props.children
  }
}
