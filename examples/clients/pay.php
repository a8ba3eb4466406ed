<?php
/** Pays once in a sandbox by plain HTTP, and verifies a webhook. It needs no packages. */
declare(strict_types=1);

/** @return array{int, array} the status and the body of an answer; status 0 when there was none. */
function call(string $method, string $path, ?array $body = null, ?string $key = null): array
{
    $headers = ['Authorization: Bearer ' . getenv('WALLET_API_KEY'), 'Content-Type: application/json'];
    if ($key !== null) $headers[] = "Idempotency-Key: $key";
    $options = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 30, 'follow_location' => 0];
    if ($body !== null) $options['content'] = json_encode((object) $body);
    $text = @file_get_contents(getenv('WALLET_BASE_URL') . $path, false, stream_context_create(['http' => $options]));
    if ($text === false) return [0, []];
    return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true) ?? []];
}

/** Repeats a payment whose outcome is unknown; the same key makes that harmless. */
function pay(array $body, string $key): array
{
    foreach ([0.5, 1, 2] as $waitSeconds) {
        [$status, $answer] = call('POST', '/v1/transfers/p2p', $body, $key);
        // The page of a proxy is no answer, whatever its status is.
        $isAnswer = is_array($answer) && isset($answer['meta']);
        $isBusy = $status === 409 && ($answer['error'] ?? '') === 'REQUEST_IN_PROGRESS';
        if ($isAnswer && $status < 500 && $status !== 429 && !$isBusy) return [$status, $answer];
        usleep((int) ($waitSeconds * 1_000_000));
    }
    throw new RuntimeException('nobody knows yet whether the payment was made: ask for its reference later');
}

/** Whether a delivery is genuine. $headers have names in small letters; $rawBody is the body as it came. */
function verify(string $rawBody, array $headers, string $secret): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(substr($secret, strlen('sk_wh_')));
    if ($key === '') throw new RuntimeException('the secret of the endpoint is not set');
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) return true;
    }
    return false;
}

function must(bool $holds, string $otherwise): void
{
    if (!$holds) throw new RuntimeException($otherwise);
}

function openWallet(): string
{
    $name = bin2hex(random_bytes(8));
    [, $created] = call('POST', '/v1/wallets', ['user_ref' => "user-$name"], $name);
    for ($looks = 0; $looks < 120; $looks++) {
        [, $shown] = call('GET', '/v1/wallets/' . $created['data']['id']);
        if ($shown['data']['wallet']['status'] === 'active') return $created['data']['id'];
        usleep(250_000);
    }
    throw new RuntimeException('the wallet did not become active');
}

[$ada, $bola] = [openWallet(), openWallet()];
call('POST', "/v1/sandbox/wallets/$ada/fund", ['amount_kobo' => 1_000_000]);
$key = bin2hex(random_bytes(16));
$order = ['source_wallet' => $ada, 'dest_wallet' => $bola, 'amount' => 150_000, 'reference' => "order-$key"];
[$status, $paid] = pay($order, $key);
must($status === 200 && $paid['data']['status'] === 'completed', 'not paid');
must(pay($order, $key)[1]['data']['id'] === $paid['data']['id'], 'paid twice');
must(call('GET', "/v1/wallets/$bola")[1]['data']['balance_kobo'] === 150_000, 'another balance');
$tooMuch = ['source_wallet' => $bola, 'dest_wallet' => $ada, 'amount' => 900_000_000, 'reference' => "much-$key"];
[$status, $refused] = pay($tooMuch, "much-$key");
must($status === 422 && $refused['error'] === 'INSUFFICIENT_FUNDS', 'not refused');

['body' => $body, 'headers' => $headers, 'secret' => $secret] =
    json_decode(file_get_contents(getenv('WALLET_DELIVERY')), true);
must(verify($body, $headers, $secret), 'a genuine delivery was refused');
must(!verify("$body ", $headers, $secret), 'a forged delivery was accepted');
echo "paid {$paid['data']['id']}, and verified a delivery\n";
