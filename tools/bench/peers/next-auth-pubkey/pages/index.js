export default function Page() {
  return <p>A bare page.</p>;
}
