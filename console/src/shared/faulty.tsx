import { Component, type ReactNode } from "react";

/** Shows a fault of the console itself in the place of the part that has it, until its content is another one. */
export class Faulty extends Component<{ children: ReactNode; what?: string }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="box wrong" role="alert">
        <h2>{this.props.what ?? "This page"} could not be shown</h2>
        <p>{error.message}</p>
        <button type="button" onClick={() => this.setState({ error: null })}>
          Try again
        </button>
      </div>
    );
  }
}
