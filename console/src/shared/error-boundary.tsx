import { Component, type ReactNode } from "react";

interface ErrorBoundaryProps {
  children: ReactNode;
  what?: string;
  /** Address of the content. Another address is tried anew. */
  at: string;
}

/** Shows an error of the console itself in the place of the part that has it. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (before.at !== this.props.at && this.state.error) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="box wrong" role="alert">
        <h2>{this.props.what ?? "This page"} could not be shown</h2>
        <p>{error.message}</p>
        <p>The server may have another version of the console by now. If it happens again, please report it.</p>
        <button type="button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
