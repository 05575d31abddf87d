/** Shows a fault of the window itself with what to do, never with a stack. */
import { Component, type ReactNode } from 'react';
import { ErrorState } from '../parts/states.tsx';

interface Caught {
  readonly error: Error | null;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { error: null };

  static getDerivedStateFromError(error: unknown): Caught {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="page">
        <ErrorState
          title="This part of the window has stopped"
          error={new Error(`Your data is not touched. What happened: ${error.message}`)}
          onRetry={() => this.setState({ error: null })}
        />
      </div>
    );
  }
}
