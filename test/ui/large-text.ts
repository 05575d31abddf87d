/** Before the page's own scripts, at each load: a page that is loaded again keeps its large text. */
export function enlargeText(): void {
  const enlarge = () => {
    document.documentElement.style.fontSize = '200%';
  };
  document.addEventListener('readystatechange', enlarge, { once: true });
}
