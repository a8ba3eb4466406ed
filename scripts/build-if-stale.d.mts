export function buildIfStale(say: () => void): boolean;
