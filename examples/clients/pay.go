// Pays once in a sandbox with the client that oapi-codegen makes, and verifies a webhook.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/pay/wallet"
	"github.com/google/uuid"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

var background = context.Background()

func openWallet(client *wallet.ClientWithResponses) string {
	key := uuid.NewString()
	params := &wallet.CreateWalletParams{IdempotencyKey: &key}
	created, err := client.CreateWalletWithResponse(background, params, wallet.WalletCreation{UserRef: "user-" + key})
	must(err == nil && created.JSON202 != nil, "the wallet was not created", err)
	for range 120 {
		shown, err := client.GetWalletWithResponse(background, created.JSON202.Data.Id)
		must(err == nil && shown.JSON200 != nil, "the wallet was not shown", err)
		if shown.JSON200.Data.Wallet.Status == "active" {
			return created.JSON202.Data.Id
		}
		time.Sleep(250 * time.Millisecond)
	}
	log.Fatal("the wallet did not become active")
	return ""
}

// pay repeats a payment whose outcome is unknown; the same key makes that harmless.
func pay(client *wallet.ClientWithResponses, body wallet.P2pTransferRequest, key string) (*wallet.P2pTransferResponse, error) {
	for _, wait := range []time.Duration{500, 1000, 2000} {
		answer, err := client.P2pTransferWithResponse(background, &wallet.P2pTransferParams{IdempotencyKey: &key}, body)
		if err == nil {
			status := answer.StatusCode()
			isBusy := answer.JSON409 != nil && answer.JSON409.Error == "REQUEST_IN_PROGRESS"
			// The page of a proxy is no answer, whatever its status is.
			isAnswer := bytes.Contains(answer.Body, []byte(`"meta"`)) && json.Valid(answer.Body)
			if isAnswer && status < 500 && status != http.StatusTooManyRequests && !isBusy {
				return answer, nil
			}
		}
		time.Sleep(wait * time.Millisecond)
	}
	return nil, errors.New("nobody knows yet whether the payment was made: ask for its reference later")
}

// verify gives an error when a delivery is not genuine.
func verify(rawBody []byte, headers http.Header, secret string) error {
	webhook, err := webhooks.NewWebhook(strings.TrimPrefix(secret, "sk_wh_"))
	if err != nil {
		return err
	}
	return webhook.Verify(rawBody, headers)
}

func must(holds bool, otherwise string, err error) {
	if !holds {
		log.Fatal(otherwise, ": ", err)
	}
}

func main() {
	authorized := wallet.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("WALLET_API_KEY"))
		return nil
	})
	client, err := wallet.NewClientWithResponses(os.Getenv("WALLET_BASE_URL"), authorized)
	must(err == nil, "no client", err)

	ada, bola := openWallet(client), openWallet(client)
	_, err = client.FundWalletWithResponse(background, ada, &wallet.FundWalletParams{}, wallet.Funding{AmountKobo: 1_000_000})
	must(err == nil, "not funded", err)
	key := uuid.NewString()
	order := wallet.P2pTransferRequest{SourceWallet: ada, DestWallet: bola, Amount: 150_000, Reference: "order-" + key}
	paid, err := pay(client, order, key)
	must(err == nil && paid.JSON200 != nil && paid.JSON200.Data.Status == "completed", "not paid", err)
	again, err := pay(client, order, key)
	must(err == nil && again.JSON200 != nil && again.JSON200.Data.Id == paid.JSON200.Data.Id, "paid twice", err)
	shown, err := client.GetWalletWithResponse(background, bola)
	must(err == nil && shown.JSON200.Data.BalanceKobo == 150_000, "another balance", err)

	other := uuid.NewString()
	tooMuch := wallet.P2pTransferRequest{SourceWallet: bola, DestWallet: ada, Amount: 900_000_000, Reference: "order-" + other}
	refused, err := pay(client, tooMuch, other)
	must(err == nil && refused.JSON422 != nil && refused.JSON422.Error == "INSUFFICIENT_FUNDS", "not refused", err)

	var delivery struct {
		Body, Secret string
		Headers      map[string]string
	}
	text, err := os.ReadFile(os.Getenv("WALLET_DELIVERY"))
	must(err == nil && json.Unmarshal(text, &delivery) == nil, "no delivery", err)
	headers := http.Header{}
	for name, value := range delivery.Headers {
		headers.Set(name, value)
	}
	must(verify([]byte(delivery.Body), headers, delivery.Secret) == nil, "a genuine delivery was refused", nil)
	must(verify([]byte(delivery.Body+" "), headers, delivery.Secret) != nil, "a forged delivery was accepted", nil)
	fmt.Println("paid", paid.JSON200.Data.Id, "and verified a delivery")
}
