/** Type of the event that ends a run's wait for its children. @param wait its number */
export const childrenEnded = (wait: number): string => `children_${wait}`;
