/** Tells the windows of one engine apart, where a newer question of a window replaces its older one. */
export const windowId = crypto.randomUUID();
